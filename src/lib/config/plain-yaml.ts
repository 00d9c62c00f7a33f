import { type Document, Lexer, parseDocument } from 'yaml';
import { messageOf } from '../errors/coded-error.ts';
import type { ConfigFault } from './config-error.ts';

/** Levels of lists and maps within each other, aliases followed. */
const MAX_DEPTH = 64;
const MAX_FAULTS = 10;
/** Columns before a line's text; each level of block style takes one at least. */
const MAX_INDENT = 200;

/**
 * The plain data of a YAML text, or what is wrong with it. Never throws: the parser itself ends the process on brackets
 * within each other by the thousand, so that these are counted before it sees them.
 */
export function plainYaml(text: string): { data: unknown } | { faults: ConfigFault[] } {
  const tooDeep = nestingFault(text);
  if (tooDeep !== undefined) return { faults: [fileFault(tooDeep)] };
  const document = parseDocument(text);
  const issues = [...document.errors, ...document.warnings];
  if (issues.length > 0) return { faults: issues.slice(0, MAX_FAULTS).map(syntaxFault) };
  return dataOf(document);
}

/** Marks of the lexer that stand for no text: document, flow end, scalar, error. */
const CONTROLS = new Set(['\u{02}', '\u{18}', '\u{1f}', '\u{1c}']);

/** Why a YAML text is nested too deeply to be parsed; undefined where it is not. */
export function nestingFault(text: string): string | undefined {
  let depth = 0;
  let column = 0;
  let isPrefix = true;
  for (const token of new Lexer().lex(text)) {
    if (CONTROLS.has(token)) continue;
    if (token === '[' || token === '{') depth++;
    if (token === ']' || token === '}') depth--;
    if (depth > MAX_DEPTH) return `nested deeper than ${MAX_DEPTH} levels; write it flatter`;
    const newline = token.lastIndexOf('\n');
    const isText = newline < 0 && !/^( *|#.*)$/.test(token);
    if (isText && isPrefix && depth === 0 && column > MAX_INDENT)
      return `indented by more than ${MAX_INDENT} columns; write it flatter`;
    isPrefix = newline >= 0 || (isPrefix && /^( *|[-?:]|[&!].*)$/.test(token));
    column = newline < 0 ? column + token.length : token.length - newline - 1;
  }
  return undefined;
}

/** Aliases are followed here: to nowhere, to a thing that holds them, or to more things than memory has. */
export function dataOf(document: Document): { data: unknown } | { faults: ConfigFault[] } {
  try {
    const data: unknown = document.toJS();
    const fault = shapeFault(data, []);
    return fault === undefined ? { data } : { faults: [fault] };
  } catch (thrown) {
    return { faults: [fileFault(`${messageOf(thrown)}; write the values out in place of the aliases`)] };
  }
}

function shapeFault(
  value: unknown,
  path: readonly string[],
  above: readonly unknown[] = [],
): ConfigFault | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  if (above.includes(value))
    return {
      path: path.join('.'),
      value: null,
      message: 'contains itself through an alias (*); write the value out',
    };
  if (above.length >= MAX_DEPTH)
    return fileFault(
      `nested deeper than ${MAX_DEPTH} levels at ${path.slice(0, 3).join('.')}; write it flatter`,
    );
  for (const [key, inner] of Object.entries(value)) {
    // Whatever copies the data by assignment would lose this key without a word.
    if (key === '__proto__')
      return {
        path: [...path, key].join('.'),
        value: JSON.stringify(inner),
        message: 'is a reserved word and cannot be a name; use another name',
      };
    const fault = shapeFault(inner, [...path, key], [...above, value]);
    if (fault) return fault;
  }
  return undefined;
}

function syntaxFault(issue: Document['errors'][number] | Document['warnings'][number]): ConfigFault {
  const at = issue.linePos?.[0];
  return {
    path: at ? `line ${at.line}, column ${at.col}` : 'file',
    value: null,
    message: issue.message.split('\n')[0]?.replace(/ at line \d.*$/, '') ?? issue.code,
  };
}

const fileFault = (message: string): ConfigFault => ({ path: 'file', value: null, message });
