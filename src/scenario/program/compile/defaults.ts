import { compileParameter } from '../../commands/set/compile-set.ts';
import type { Form } from '../../forms/form.ts';
import { parseForm } from '../../forms/parse-form.ts';
import type { Pos } from '../../source/position.ts';
import type { Document, Statement } from '../../syntax/node.ts';
import type { ParameterName } from '../instruction.ts';
import type { Value } from '../operand.ts';
import type { ProgramDefault } from '../program.ts';
import { checkFree } from './define-variable.ts';
import { PARAMETERS, type Scope, type Site } from './scope.ts';

export interface Default {
  readonly value: ProgramDefault;
  readonly pos: Pos;
}

const isDefault = (item: { readonly type: string }): item is Statement =>
  item.type === 'statement' && (item as Statement).command === 'DEFAULT';

/**
 * The DEFAULT lines of a document: above its blocks and at the top level of its goals and CONFIG blocks; of a file that
 * it includes only those above the blocks, because its goals do not run.
 */
function* linesOf(document: Document, isIncluded: boolean): Generator<Statement> {
  for (const item of document.items) {
    if (isDefault(item)) yield item;
    if (isIncluded || item.type !== 'block' || (item.kind !== 'GOAL' && item.kind !== 'CONFIG')) continue;
    for (const line of item.items) if (isDefault(line)) yield line;
  }
}

export const defaultLines = (document: Document): ReadonlySet<Statement> => new Set(linesOf(document, false));

/** The parameters that a document declares. Its own values win over those of the files that it includes. */
export function readDefaults(document: Document, scope: Scope, site: Site): ReadonlyMap<string, Default> {
  const defaults = new Map<string, Default>();
  const read = (one: Document): void => {
    for (const { tokens, pos } of linesOf(one, one !== document)) {
      const form = parseForm('DEFAULT', tokens, pos, site.report);
      if (form?.form === 'default') take(form, pos, defaults, scope, site);
    }
    for (const included of one.includes) read(included);
  };
  read(document);
  return defaults;
}

function take(
  { name, token, value }: Extract<Form, { form: 'default' }>,
  pos: Pos,
  defaults: Map<string, Default>,
  scope: Scope,
  site: Site,
): void {
  const refuse = (why: string) => site.report('SCN156', why, token.pos);
  if (!checkFree(name, token.pos, scope, site)) return;
  const before = defaults.get(name);
  if (before && before.pos.file === pos.file)
    return refuse(`${name} already has a DEFAULT on line ${before.pos.line}; keep one`);
  if (before)
    return site.report('SCN207', `DEFAULT ${name} is hidden by the one of the including file`, token.pos);
  const literal = literalOf(value);
  if (literal.value === '') return refuse(`DEFAULT ${name} has an empty value; write a quantity or a text`);
  scope.names.declare(name);
  scope.names.reach(name);
  if (PARAMETERS.has(name)) compileParameter(name as ParameterName, value, pos, scope, site);
  defaults.set(name, { value: literal, pos });
}

/** The reader has refused all that is not a literal. */
const literalOf = (value: Value): ProgramDefault =>
  value.kind === 'quantity'
    ? { value: value.value, ...(value.unit === undefined ? {} : { unit: value.unit }) }
    : { value: value.kind === 'text' ? value.text : '' };
