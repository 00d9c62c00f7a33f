import { messageOf } from '../../lib/errors/coded-error.ts';
import { isReport } from '../../rig/guard/guard-report.ts';
import type { SafeStateReport } from '../../rig/safe-state/report.ts';
import type { Io } from '../io/io.ts';
import type { RigEnvironment } from './rig-environment.ts';

/** A report, or why there is none, as a sentence. */
export type BridgeAnswer = { report: SafeStateReport & { bench?: boolean } } | { why: string };

/** A safe state takes 5 s at most. */
const LIMIT_MS = 7000;

/** The emergency stop of the bridge. From this machine it needs no token; one that is there is sent. Never rejects. */
export async function askBridgeToStop(
  url: string,
  env: RigEnvironment,
  { fetch, clock }: Pick<Io, 'fetch' | 'clock'>,
): Promise<BridgeAnswer> {
  const limit = new AbortController();
  const cancel = clock.after(LIMIT_MS, () => limit.abort(new Error(`no answer within ${LIMIT_MS / 1000} s`)));
  const token = env.SVC_API_TOKEN;
  try {
    const response = await fetch(`${url}/api/v1/hardware/safe-state`, {
      method: 'POST',
      redirect: 'error',
      signal: limit.signal,
      headers: token ? { authorization: `Bearer ${token}` } : {},
    });
    const body: unknown = await response.json();
    if (isReport(body)) return { report: body };
    const { detail } = (typeof body === 'object' && body !== null ? body : {}) as Record<string, unknown>;
    return { why: typeof detail === 'string' ? detail : `it answered with status ${response.status}` };
  } catch (thrown) {
    const cause = thrown instanceof Error && thrown.cause !== undefined ? thrown.cause : thrown;
    return { why: messageOf(cause) };
  } finally {
    cancel();
  }
}
