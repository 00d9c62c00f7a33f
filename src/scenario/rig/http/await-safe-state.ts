import type { Clock } from '../../../lib/clock/clock.ts';
import { messageOf } from '../../../lib/errors/coded-error.ts';
import type { SafeStateReport } from '../rig.ts';
import type { BridgeClient } from './bridge-client.ts';
import { isRecord, rejectionOf } from './rejection.ts';

/** A bridge ends a lease whose line has broken within 2 s, and a safe state is bounded by 5 s. */
const LIMIT_MS = 8000;
const ANSWER_LIMIT_MS = 2000;
const POLL_MS = 100;
const STEP = 'safe_state';

export interface AwaitSafeStateOptions {
  readonly client: BridgeClient;
  readonly base: string;
  /** Under which this run had the lease. */
  readonly owner: string;
  readonly clock: Clock;
}

/**
 * Reads what came of the safe state that ended this run's lease; sends nothing that acts, for the rig may be somebody
 * else's by now. Never rejects: what is not known to be safe is a failed step.
 */
export async function awaitSafeState(options: AwaitSafeStateOptions): Promise<SafeStateReport> {
  const { clock, base } = options;
  const until = clock.monotonic() + LIMIT_MS;
  for (;;) {
    const missing = await whatIsMissing(options).catch(messageOf);
    if (missing === undefined) return { ok: true, steps: [{ name: STEP, ok: true }] };
    if (clock.monotonic() >= until) {
      const error = `${base} has not reported a safe state within ${LIMIT_MS / 1000} s: ${missing}`;
      return { ok: false, steps: [{ name: STEP, ok: false, error }] };
    }
    await clock.sleep(POLL_MS);
  }
}

/** @returns why the rig does not count as safe yet; undefined when it does */
async function whatIsMissing(options: AwaitSafeStateOptions): Promise<string | undefined> {
  const { owner } = options;
  const lease = await read(options, '/api/v1/lease');
  if (lease.held === true && lease.owner === owner) return 'the lease has not ended yet';
  const { safe_state: last } = await read(options, '/health');
  if (!isRecord(last)) return 'none has run';
  if (last.running === true) return 'it is running';
  const { outcome, reason } = last;
  return outcome === 'safe' || outcome === 'simulated' ? undefined : `${outcome} (${reason})`;
}

async function read({ client, base }: AwaitSafeStateOptions, path: string): Promise<Record<string, unknown>> {
  const answer = await client.send({
    method: 'GET',
    url: base + path,
    timeoutMs: ANSWER_LIMIT_MS,
    quiet: true,
  });
  const rejection = rejectionOf(answer);
  if (rejection !== undefined || !isRecord(answer.json))
    throw new Error(`${path}: ${rejection ?? 'no JSON'}`);
  return answer.json;
}
