import { CodedError, messageOf } from '../../lib/errors/coded-error.ts';
import { MAX_SOURCE_BYTES } from '../../scenario/source/decode.ts';
import { CliError, usageError } from '../errors/cli-error.ts';
import type { Io } from '../io/io.ts';
import { scenarioText } from './payload.ts';
import type { ScenarioSource } from './scenario-source.ts';

/** Limit of the whole transfer, milliseconds. */
const TIMEOUT_MS = 20_000;

/**
 * Fetches a scenario: GET, 20 s, 2xx, at most 1 MiB; raw text or JSON.
 * @throws CliError `source_unreadable` naming address and reason
 */
export async function readScenarioUrl(
  address: string,
  io: Pick<Io, 'fetch' | 'clock'>,
): Promise<ScenarioSource> {
  const url = parseUrl(address);
  const shown = shownUrl(url);
  const refuse = (reason: string, cause?: unknown) =>
    new CliError('source_unreadable', `cannot read ${shown}: ${reason}`, undefined, { cause });
  const deadline = new AbortController();
  const cancel = io.clock.after(TIMEOUT_MS, () => deadline.abort(new TimedOut()));
  try {
    const headers: Record<string, string> = { Accept: 'text/plain, application/json;q=0.9, */*;q=0.1' };
    if (url.username !== '') headers.Authorization = basicAuthorization(url);
    url.username = '';
    url.password = '';
    const response = await io.fetch(url, { headers, signal: deadline.signal });
    if (!response.ok) {
      await response.body?.cancel();
      throw refuse(`the server answered ${response.status} ${response.statusText}`.trimEnd());
    }
    const bytes = await limitedBody(response);
    if (!bytes) throw refuse(`the answer is larger than ${MAX_SOURCE_BYTES} bytes (1 MiB)`);
    const found = scenarioText(bytes, response.headers.get('content-type') ?? '');
    if ('refused' in found) throw refuse(found.refused);
    return { name: shown, bytes: found.bytes, directory: undefined };
  } catch (thrown) {
    if (thrown instanceof CliError) throw thrown;
    if (deadline.signal.aborted) throw refuse('no complete answer within 20 s', thrown);
    throw refuse(`${causeOf(thrown)}: check the address and that the server runs`, thrown);
  } finally {
    cancel();
  }
}

class TimedOut extends CodedError {
  constructor() {
    super('timeout', 'no complete answer within 20 s');
  }
}

function parseUrl(address: string): URL {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url && (url.protocol === 'http:' || url.protocol === 'https:')) return url;
  throw usageError(
    `"${address}" is not an http or https address: name a file, or an address that starts with http://`,
  );
}

/** Without user name and password, which must not reach reports. */
function shownUrl(url: URL): string {
  const copy = new URL(url);
  copy.username = '';
  copy.password = '';
  return copy.href;
}

function basicAuthorization(url: URL): string {
  const pair = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`;
  return `Basic ${Buffer.from(pair).toString('base64')}`;
}

/** The body, or undefined when it grows beyond the limit. */
async function limitedBody(response: Response): Promise<Uint8Array | undefined> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength;
    // Leaving the loop cancels the transfer.
    if (size > MAX_SOURCE_BYTES) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** fetch says only "fetch failed"; its cause says why. */
function causeOf(thrown: unknown): string {
  const cause = thrown instanceof Error && thrown.cause !== undefined ? thrown.cause : thrown;
  const text = messageOf(cause);
  return text === '' && cause instanceof Error && 'code' in cause ? String(cause.code) : text;
}
