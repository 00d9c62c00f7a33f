import { messageOf } from '../../lib/errors/coded-error.ts';
import { isLocalAddress, isLoopback } from '../../lib/http/loopback.ts';
import { guardAddress, rigKey, stateDirOf } from '../../lib/liveness/live-address.ts';
import { type GuardReport, isReport } from '../../rig/guard/guard-report.ts';
import { askGuardToStop } from '../../rig/guard/guard-socket.ts';
import { operatorStopPath, type StopRequest } from '../../rig/safe-state/operator-stop.ts';
import type { SafeStateReport } from '../../rig/safe-state/report.ts';
import { exchangeJson } from '../../transports/http/exchange-json.ts';
import type { Io } from '../io/io.ts';
import type { RigEnvironment } from './rig-environment.ts';

/** Whoever drove the devices. */
export interface Stopped {
  report: StopReport;
  by: string;
}

const GUARD_LIMIT_MS = 10_000;
/** A rig that is safe is reported without waiting any longer for the guard, which was asked too. */
const GUARD_PATIENCE_MS = 300;
/** Without a guard that could determine it, a bridge that gives no report by then is taken for dead. */
const BRIDGE_LIMIT_MS = 1000;

/** The bridge to ask. */
interface BridgeToStop {
  url: string;
  /** The one that this rig's own settings name. Another may be of another rig, whose guard is not ours. */
  own: string;
  /** The bridge is another rig's, and that of the state folder is meant as well: both have to be safe. */
  isSeveral: boolean;
}

/**
 * Makes the rig safe by whoever can: the bridge, the guard, which sees at once when the bridge does not live, and a
 * guard of our own when there is none. Guard and bridge never work against each other: the second joins the safe
 * state already running. For a bridge that is not this rig's no one else can speak: then this rig is not touched.
 * Never rejects.
 * @returns the report, or for each of them why it gave none
 */
export async function stopRig(
  { url, own, isSeveral }: BridgeToStop,
  env: RigEnvironment,
  request: StopRequest,
  io: Io,
): Promise<Stopped | { whys: string[] }> {
  const { clock } = io;
  const asked = askBridgeToStop(url, env, request, io);
  const bridge = asked.then((answer) =>
    'report' in answer ? { report: answer.report, by: 'svc-bridge' } : undefined,
  );
  const whyNot = async (): Promise<string> => {
    const answer = await Promise.race([asked, clock.sleep(0).then(() => undefined)]);
    return `the bridge at ${url}: ${answer && 'why' in answer ? answer.why : 'no report in time'}`;
  };
  const elsewhere = whyElsewhere(url, own);
  if (elsewhere !== undefined) return (await bridge) ?? { whys: [await whyNot(), elsewhere] };

  const inTime = within(bridge, BRIDGE_LIMIT_MS, io);
  // The bridge of another rig cannot speak for this one, and both have to be safe.
  const [here, other] = await Promise.all([
    stopHere(isSeveral ? Promise.resolve(undefined) : inTime, env, request, io),
    isSeveral ? bridge : undefined,
  ]);
  if (isSeveral && !isSafe(other)) {
    if (other) return other;
    const own =
      'whys' in here ? here.whys : [`the rig of this state folder: ${here.report.outcome}, by ${here.by}`];
    return { whys: [await whyNot(), ...own] };
  }
  return 'whys' in here && !isSeveral ? { whys: [await whyNot(), ...here.whys] } : here;
}

/** @param bridge of this rig, as far as it gives a report */
async function stopHere(
  bridge: Promise<Stopped | undefined>,
  env: RigEnvironment,
  request: StopRequest,
  io: Io,
): Promise<Stopped | { whys: string[] }> {
  const address = guardAddress(rigKey(stateDirOf(env)));
  const guard = askGuardToStop(address, request, io.clock, GUARD_LIMIT_MS);
  const byGuard = guard.then((answer) =>
    typeof answer === 'string' ? undefined : { report: answer, by: answer.by },
  );
  const stopped = await firstOf(safeOnly(byGuard), safeOnly(bridge));
  // One that still works at it would make the rig safe again, also when the stop has been cleared meanwhile.
  if (stopped) await within(byGuard, GUARD_PATIENCE_MS, io);
  if (stopped) return stopped;
  // A guard that is there has done what can be done.
  const attempted = await byGuard;
  if (attempted) return attempted;
  const { runGuardOnce } = await import('./run-guard-once.ts');
  const once = await runGuardOnce(env, request, io);
  if (!('why' in once)) return { report: once, by: once.by };
  const late = await bridge;
  if (late) return late;
  const guardWhy = (await guard) === 'absent' ? 'none runs' : 'it does not answer';
  return { whys: [`svc-guard: ${guardWhy}`, `svc-guard --once: ${once.why}`] };
}

/** What ends the search: a rig that is safe, or a bridge that drives none. */
async function safeOnly(work: Promise<Stopped | undefined>): Promise<Stopped | undefined> {
  const stopped = await work;
  return isSafe(stopped) ? stopped : undefined;
}

const isSafe = (stopped: Stopped | undefined): boolean =>
  stopped !== undefined && ['safe', 'simulated'].includes(stopped.report.outcome);

/** Why nobody here can stop in the place of that bridge; undefined when the guard of this rig can. */
function whyElsewhere(url: string, own: string): string | undefined {
  if (!isHere(url)) return 'it is on another machine: stop the rig there';
  if (portOf(url) === portOf(own) && isHere(own)) return undefined;
  return `it is not the bridge of this rig, which is at ${own}: stop that rig with the RIG_RUNTIME_DIR it was started with`;
}

function isHere(url: string): boolean {
  const { hostname } = new URL(url);
  return isLoopback(hostname) || isLocalAddress(hostname);
}

function portOf(url: string): string {
  const { port, protocol } = new URL(url);
  return port || (protocol === 'https:' ? '443' : '80');
}

/** What comes within the time; undefined when nothing does. */
async function within<T>(work: Promise<T | undefined>, ms: number, { clock }: Io): Promise<T | undefined> {
  const stop = new AbortController();
  const late = clock.sleep(ms, stop.signal).then(
    () => undefined,
    () => undefined,
  );
  const result = await Promise.race([work, late]);
  stop.abort();
  return result;
}

/** The first that is something; undefined when none is. */
async function firstOf<T>(...works: Promise<T | undefined>[]): Promise<T | undefined> {
  const found = works.map(async (work) => (await work) ?? Promise.reject(new Error('nothing')));
  return Promise.any(found).catch(() => undefined);
}

/** What the bridge or the guard reports. */
export type StopReport = SafeStateReport & Partial<Pick<GuardReport, 'bench' | 'killed' | 'operator_stop'>>;

/** A report, or why there is none, as a sentence. */
type BridgeAnswer = { report: StopReport } | { why: string };

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
