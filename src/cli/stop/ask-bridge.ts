import { messageOf } from '../../lib/errors/coded-error.ts';
import { isReport } from '../../rig/guard/guard-report.ts';
import type { SafeStateReport } from '../../rig/safe-state/report.ts';
import type { Io } from '../io/io.ts';
import { post } from './post.ts';
import type { RigEnvironment } from './rig-environment.ts';

/** A report, or why there is none, as a sentence. */
export type BridgeAnswer = { report: SafeStateReport & { bench?: boolean } } | { why: string };

/** A safe state takes 5 s at most. */
const LIMIT_MS = 7000;
const REDIRECTS: readonly number[] = [301, 302, 303, 307, 308];

/** The emergency stop of the bridge. From this machine it needs no token; one that is there is sent. Never rejects. */
export async function askBridgeToStop(
  url: string,
  env: RigEnvironment,
  { clock }: Pick<Io, 'clock'>,
): Promise<BridgeAnswer> {
  const token = env.SVC_API_TOKEN;
  const headers: Record<string, string> = token ? { authorization: `Bearer ${token}` } : {};
  try {
    const address = `${url}/api/v1/hardware/safe-state`;
    const { status, text } = await post(address, { headers, clock, limitMs: LIMIT_MS });
    // What stands at the other end of a redirect is not the bridge that was asked.
    if (REDIRECTS.includes(status)) return { why: `it answered with a redirect (status ${status})` };
    const body: unknown = JSON.parse(text);
    if (isReport(body)) return { report: body };
    const { detail } = (typeof body === 'object' && body !== null ? body : {}) as Record<string, unknown>;
    return { why: typeof detail === 'string' ? detail : `it answered with status ${status}` };
  } catch (thrown) {
    return { why: sentenceOf(thrown) };
  }
}

/** Where all addresses of a name refuse, only the errors inside have words. */
function sentenceOf(thrown: unknown): string {
  const [inner] = thrown instanceof AggregateError ? thrown.errors : [];
  return messageOf(thrown) || messageOf(inner ?? 'no connection');
}
