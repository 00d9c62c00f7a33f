import { shellLine } from '../run/shell-quote.ts';

/** `NAME='value'` lines for a POSIX shell (`. file`). */
export const shellExports = (exports: Readonly<Record<string, string>>): string =>
  Object.entries(exports)
    .map(([name, value]) => `${shellLine(name, value)}\n`)
    .join('');
