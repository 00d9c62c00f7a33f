import type { IncomingMessage } from 'node:http';
import { CodedError, messageOf } from '../../lib/errors/coded-error.ts';

const MAX_BYTES = 65_536;

/** A request that cannot be served, with the HTTP status that says so. */
export class RequestFault extends CodedError {
  readonly status: number;

  constructor(status: number, code: string, message: string) {
    super(code, message);
    this.status = status;
  }
}

/** @throws RequestFault 413 or 400 */
export async function readJson(request: IncomingMessage): Promise<unknown> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Uint8Array>) {
    bytes += chunk.length;
    if (bytes > MAX_BYTES) throw new RequestFault(413, 'too_large', `the body is over ${MAX_BYTES} bytes`);
    chunks.push(chunk);
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString('utf8'));
  } catch (cause) {
    throw new RequestFault(400, 'bad_json', `the body is not JSON: ${messageOf(cause)}`);
  }
}
