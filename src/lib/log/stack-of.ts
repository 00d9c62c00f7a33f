/** The stack as a field of a log line; nothing for a value that has none. */
export function stackOf(thrown: unknown): { stack?: string } {
  return thrown instanceof Error && thrown.stack !== undefined ? { stack: thrown.stack } : {};
}
