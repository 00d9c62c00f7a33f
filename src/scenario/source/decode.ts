/** Default limit of a scenario text, bytes (SCN004). */
export const MAX_SOURCE_BYTES = 1_048_576;

export type Decoded =
  | { readonly text: string }
  | { readonly fault: 'bad-encoding' | 'too-large' | 'html'; readonly detail: string };

const HTML = /^[\s\uFEFF]*<(?:!doctype\s+html|html)\b/i;

/** Turns bytes into text: UTF-8 only, size limited, web pages refused. Never throws. */
export function decode(source: string | Uint8Array, maxBytes = MAX_SOURCE_BYTES): Decoded {
  const bytes = typeof source === 'string' ? utf8Length(source, maxBytes) : source.byteLength;
  if (bytes > maxBytes)
    return { fault: 'too-large', detail: `${bytes} bytes, at most ${maxBytes} are allowed` };
  let text: string;
  if (typeof source === 'string') text = source;
  else {
    try {
      text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(source);
    } catch {
      return { fault: 'bad-encoding', detail: describeBadBytes(source) };
    }
  }
  if (HTML.test(text.slice(0, 4096))) return { fault: 'html', detail: text.trimStart().slice(0, 40) };
  return { text };
}

/** Size of a text as UTF-8; a lower bound when it is certainly within the limit, since a code unit takes 3 bytes at most. */
const utf8Length = (text: string, limit: number): number =>
  text.length * 3 <= limit ? text.length : new TextEncoder().encode(text).byteLength;

function describeBadBytes(source: Uint8Array): string {
  const [a, b] = source;
  if ((a === 0xff && b === 0xfe) || (a === 0xfe && b === 0xff)) return 'the file is UTF-16';
  // Decoding the longest valid prefix locates the fault.
  let low = 0;
  let high = source.length;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    try {
      new TextDecoder('utf-8', { fatal: true }).decode(source.subarray(0, middle), { stream: true });
      low = middle;
    } catch {
      high = middle - 1;
    }
  }
  const line = 1 + source.subarray(0, low).reduce((count, byte) => count + (byte === 10 ? 1 : 0), 0);
  const byte = source[low];
  return `line ${line} holds ${byte === undefined ? 'an incomplete character' : `the byte 0x${byte.toString(16).toUpperCase()}`}, which is not UTF-8`;
}
