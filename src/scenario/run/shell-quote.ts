/** A value as one word of a POSIX shell: nothing in it can end the string or run a command. */
export const shellQuote = (value: string): string =>
  `'${value.replaceAll('\0', '').replaceAll("'", "'\\''")}'`;

/** `NAME='value'`, a line that a shell can read (SHELL_EXPORT). */
export const shellLine = (name: string, value: string): string => `${name}=${shellQuote(value)}`;
