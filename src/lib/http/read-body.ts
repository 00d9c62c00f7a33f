import type { IncomingMessage } from 'node:http';
import { HttpError } from './http-error.ts';

/**
 * Reads a JSON body up to a limit. No body reads as `{}`.
 * @throws HttpError `payload_too_large`, `unsupported_media_type`, `invalid_json`
 */
export async function readBody(request: IncomingMessage, limitBytes: number): Promise<unknown> {
  const tooLarge = () =>
    new HttpError('payload_too_large', `body is larger than ${limitBytes} bytes (SVC_MAX_BODY_BYTES)`, {
      headers: { connection: 'close' },
    });
  if (Number(request.headers['content-length'] ?? 0) > limitBytes) throw tooLarge();
  const chunks: Buffer[] = [];
  let size = 0;
  // Not `for await`: leaving that loop early would destroy the socket before the answer is out.
  await new Promise<void>((resolve, reject) => {
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size > limitBytes) {
        request.removeAllListeners('data');
        request.resume();
        reject(tooLarge());
      } else chunks.push(chunk);
    });
    request.on('end', resolve);
    request.on('error', reject);
    request.on('close', () => reject(new HttpError('invalid_request', 'the client went away')));
  });
  if (size === 0) return {};
  const type = (request.headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
  if (type !== 'application/json') {
    throw new HttpError(
      'unsupported_media_type',
      `content type ${JSON.stringify(type)} is not taken; send application/json`,
    );
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString('utf8'));
  } catch (cause) {
    throw new HttpError('invalid_json', 'body is not valid JSON', { cause });
  }
}
