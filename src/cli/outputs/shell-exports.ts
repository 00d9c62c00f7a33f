/**
 * `NAME='value'` lines for a POSIX shell (`. file`). A quote inside is closed, escaped and opened again, so that no
 * value can end the string or run a command.
 */
export function shellExports(exports: Readonly<Record<string, string>>): string {
  return Object.entries(exports)
    .map(([name, value]) => `${name}='${value.replaceAll('\0', '').replaceAll("'", "'\\''")}'\n`)
    .join('');
}
