import { posix } from 'node:path';
import type { SourceFile } from './floors.ts';

const EXPORT =
  /^export\s+(?:declare\s+)?(?:abstract\s+)?(?:async\s+)?(?:const|let|function\*?|class|interface|type|enum)\s+([\w$]+)/gm;
const IMPORT = /\b(?:import|export)\s+(?:type\s+)?([^'"`;()=]*?)\bfrom\s*['"](\.[^'"]+)['"]/g;
/** Takes all that a module has: a dynamic import, the address of a program. */
const WHOLE = /\b(?:import|require|URL)\(\s*['"](\.[^'"]+\.tsx?)['"]/g;

/**
 * Exports that neither another file nor their own uses.
 * @param files all that may import one another; paths with forward slashes
 */
export function deadExports(files: readonly SourceFile[]): string[] {
  const codes = files.map(({ path, text }) => ({ path, code: withoutComments(text) }));
  const used = new Set<string>();
  const whole = new Set<string>();
  for (const { path, code } of codes) {
    const targetOf = (specifier: string) => posix.normalize(posix.join(posix.dirname(path), specifier));
    for (const [, clause = '', specifier = ''] of code.matchAll(IMPORT)) {
      if (clause.includes('*')) whole.add(targetOf(specifier));
      for (const name of namesOf(clause)) used.add(`${targetOf(specifier)} ${name}`);
    }
    for (const [, specifier = ''] of code.matchAll(WHOLE)) whole.add(targetOf(specifier));
  }
  return codes.flatMap(({ path, code }) => {
    if (whole.has(path)) return [];
    const isDead = (name: string) => !used.has(`${path} ${name}`) && code.split(wordOf(name)).length === 2;
    return [...code.matchAll(EXPORT)].flatMap(([, name = '']) => (isDead(name) ? [`${path}: ${name}`] : []));
  });
}

const withoutComments = (text: string): string =>
  text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/^\s*\/\/.*$/gm, '');

/** `{ a as b, type C }`: a and C. */
const namesOf = (clause: string): string[] =>
  (/\{([\s\S]*)\}/.exec(clause)?.[1] ?? '').split(',').map(
    (part) =>
      part
        .trim()
        .replace(/^type\s+/, '')
        .split(/\s+as\s+/)[0] ?? '',
  );

const wordOf = (name: string): RegExp => new RegExp(`\\b${name.replaceAll('$', '\\$')}\\b`);
