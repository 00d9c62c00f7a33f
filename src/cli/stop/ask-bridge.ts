import { messageOf } from '../../lib/errors/coded-error.ts';
import { type GuardReport, isReport } from '../../rig/guard/guard-report.ts';
import { operatorStopPath, type StopRequest } from '../../rig/safe-state/operator-stop.ts';
import type { SafeStateReport } from '../../rig/safe-state/report.ts';
import { exchangeJson } from '../../transports/http/exchange-json.ts';
import type { Io } from '../io/io.ts';
import type { RigEnvironment } from './rig-environment.ts';

/** What the bridge or the guard reports. */
export type StopReport = SafeStateReport & Partial<Pick<GuardReport, 'bench' | 'killed' | 'operator_stop'>>;

/** A report, or why there is none, as a sentence. */
export type BridgeAnswer = { report: StopReport } | { why: string };

/** A safe state takes 5 s at most. */
const LIMIT_MS = 7000;
const MAX_BYTES = 65_536;

/** The emergency stop of the bridge. From this machine it needs no token; one that is there is sent. Never rejects. */
export async function askBridgeToStop(
  url: string,
  env: RigEnvironment,
  asked: StopRequest,
  { clock }: Pick<Io, 'clock'>,
): Promise<BridgeAnswer> {
  const token = env.SVC_API_TOKEN || undefined;
  try {
    const { status, value } = await exchangeJson(`${url}${operatorStopPath(asked)}`, {
      method: 'POST',
      timeoutMs: LIMIT_MS,
      maxBytes: MAX_BYTES,
      ...(token === undefined ? {} : { token }),
      clock,
    });
    if (isReport(value)) return { report: value };
    const { detail } = (typeof value === 'object' && value !== null ? value : {}) as Record<string, unknown>;
    return { why: typeof detail === 'string' ? detail : `it answered with status ${status}` };
  } catch (thrown) {
    return { why: messageOf(thrown) };
  }
}
