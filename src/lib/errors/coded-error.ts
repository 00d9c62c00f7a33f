/** Base of every error class of the house: a stable string code for programs beside the sentence for people. */
export class CodedError extends Error {
  /** Stable, lower case with underscores, for example `device_timeout`. */
  readonly code: string;

  constructor(code: string, message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.name = new.target.name;
    this.code = code;
  }
}

/** The sentence of anything that was thrown, also of values that are not errors. */
export function messageOf(thrown: unknown): string {
  // Where all addresses of a name refuse, only the errors inside have words.
  if (thrown instanceof AggregateError && thrown.message === '' && thrown.errors.length > 0)
    return messageOf(thrown.errors[0]);
  if (thrown instanceof Error) return thrown.message;
  if (typeof thrown === 'object' && thrown !== null && 'message' in thrown) return String(thrown.message);
  return String(thrown);
}
