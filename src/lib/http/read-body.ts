import type { IncomingMessage } from 'node:http';
import { clientGone, HttpError } from './http-error.ts';

/** Whether the request brings a body along; most do not, and need not be waited for. */
export function hasBody({ headers }: IncomingMessage): boolean {
  const length = headers['content-length'];
  return headers['transfer-encoding'] !== undefined || (length !== undefined && length !== '0');
}

/**
 * Reads a JSON body up to a limit. An empty one reads as `{}`. What comes after a refusal is thrown away by the server, so
 * that a client that is still sending gets to read the answer.
 * @throws HttpError `payload_too_large`, `unsupported_media_type`, `invalid_json`
 */
export async function readBody(request: IncomingMessage, limitBytes: number): Promise<unknown> {
  if (Number(request.headers['content-length'] ?? 0) > limitBytes) throw tooLarge(limitBytes);
  const body = await collect(request, limitBytes);
  if (body.length === 0) return {};
  const type = (request.headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
  if (type !== 'application/json') {
    throw new HttpError(
      'unsupported_media_type',
      `content type ${JSON.stringify(type)} is not taken; send application/json`,
    );
  }
  if (isTooDeep(body))
    throw new HttpError('invalid_json', `body is nested deeper than ${MAX_DEPTH} levels; send it flatter`);
  try {
    return JSON.parse(body.toString('utf8'));
  } catch (cause) {
    throw new HttpError('invalid_json', 'body is not valid JSON', { cause });
  }
}

const MAX_DEPTH = 64;
const [QUOTE, BACKSLASH] = [0x22, 0x5c];
const [OPENING, CLOSING] = [new Set(Buffer.from('[{')), new Set(Buffer.from(']}'))];

/** Counts brackets outside of strings: what walks the data later must not meet more levels than its stack has. */
function isTooDeep(json: Buffer): boolean {
  let depth = 0;
  let inString = false;
  for (let i = 0; i < json.length; i++) {
    const byte = json[i] ?? 0;
    if (inString && byte === BACKSLASH) i++;
    else if (byte === QUOTE) inString = !inString;
    else if (inString) continue;
    else if (OPENING.has(byte) && ++depth > MAX_DEPTH) return true;
    else if (CLOSING.has(byte)) depth--;
  }
  return false;
}

/** Not `for await`: leaving that loop early would destroy the socket before the answer is out. */
function collect(request: IncomingMessage, limitBytes: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size <= limitBytes) {
        chunks.push(chunk);
        return;
      }
      request.removeAllListeners('data');
      request.resume();
      reject(tooLarge(limitBytes));
    });
    request.on('end', () => resolve(Buffer.concat(chunks)));
    request.on('error', () => reject(clientGone()));
    request.on('close', () => reject(clientGone()));
  });
}

function tooLarge(limitBytes: number): HttpError {
  return new HttpError('payload_too_large', `body is larger than ${limitBytes} bytes (SVC_MAX_BODY_BYTES)`);
}
