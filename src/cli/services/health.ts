import type { Clock } from '../../lib/clock/clock.ts';
import { type ConfigStamp, configStampSchema } from '../../lib/config/config-stamp.ts';
import { rigKey, stateDirOf } from '../../lib/liveness/live-address.ts';
import { askHolder } from '../../lib/lock/ask-holder.ts';
import { lockAddress } from '../../lib/lock/lock-key.ts';
import { askService } from '../io/call-service.ts';
import type { Io } from '../io/io.ts';
import type { Settings } from '../profile/rig-files.ts';

const LIMIT_MS = 3500;

export interface Health {
  /** The service's own verdict; undefined when it gave none. */
  ok: boolean | undefined;
  /** `ok`, `degraded`, `no answer` ... */
  words: string;
  /** What it runs with; left out by a service that does not say. */
  configuration?: ConfigStamp;
}

/** The first of the ports that answers `/health`. */
export async function askHealth(
  ports: readonly number[],
  { clock }: Pick<Io, 'clock'>,
): Promise<Health & { port: number | undefined }> {
  for (const port of ports) {
    const health = await askPort(port, clock);
    if (health) return { ...health, port };
  }
  return { ok: undefined, words: ports.length > 0 ? 'no answer' : '-', port: ports[0] };
}

async function askPort(port: number, clock: Clock): Promise<Health | undefined> {
  const url = `http://127.0.0.1:${port}/health?wait_ms=2500`;
  const answer = await askService(url, { timeoutMs: LIMIT_MS, clock });
  const { ok, status, operator_stop: stop, configuration } = answer ?? {};
  // Another protocol on this port, or no answer: the caller reports it.
  if (typeof ok !== 'boolean') return undefined;
  const stamp = configStampSchema.safeParse(configuration);
  const words = ok ? 'ok' : typeof status === 'string' ? status : 'not ok';
  return { ok, words: words + stopWords(stop), ...(stamp.success ? { configuration: stamp.data } : {}) };
}

/** An operator's stop that is in force. */
function stopWords(stop: unknown): string {
  if (typeof stop !== 'object' || stop === null) return '';
  const { by, at } = stop as Record<string, unknown>;
  return `, stopped by ${by} at ${at}: svcctl stop --clear`;
}

/**
 * The guard has no port: it is well when it answers as the holder of its own lock, or stands by for the one that does.
 * @param guards pids of the guards of this rig
 */
export async function askGuard(
  pid: number,
  guards: readonly number[],
  settings: Settings,
  { clock }: Pick<Io, 'clock'>,
): Promise<Health & { port: undefined }> {
  const holder = await askHolder(lockAddress(`svc-guard-${rigKey(stateDirOf(settings))}`), clock, LIMIT_MS);
  if (holder === 'silent') return { ok: undefined, words: 'no answer', port: undefined };
  if (holder === 'foreign')
    return { ok: false, words: 'its lock is held by another account', port: undefined };
  if (holder === 'gone') return { ok: false, words: 'not watching', port: undefined };
  if (holder.pid === pid) return { ok: true, words: 'ok', port: undefined };
  return { ok: guards.includes(holder.pid), words: `pid ${holder.pid} watches`, port: undefined };
}
