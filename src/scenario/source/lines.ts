/** U+2028 and U+2029: an editor shows a line break there, so a command may follow. */
export const LINE_SEPARATOR = 0x2028;
export const PARAGRAPH_SEPARATOR = 0x2029;

/** Where a line of a scenario ends: LF, CRLF, CR, U+2028, U+2029. */
export const LINE_END = /\r\n|[\n\r\u2028\u2029]/;
