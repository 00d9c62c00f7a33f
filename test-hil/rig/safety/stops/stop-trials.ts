import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { systemClock } from '../../../../src/lib/clock/clock.ts';
import { guardAddress, rigKey } from '../../../../src/lib/liveness/live-address.ts';
import { type Random, seededRandom } from '../../../../src/lib/random/seeded-random.ts';
import { askGuardToStop } from '../../../../src/rig/guard/guard-socket.ts';
import { GuardedRig, type Service } from '../../guard/guarded-rig.ts';
import { guardOfWhole, type WholeRig, whole } from '../../guard/whole-rig.ts';
import { eventually } from '../eventually.ts';
import { TwinTrace } from '../twin-trace.ts';

export const WAYS = ['svcctl stop', 'POST /safe-state', 'guard socket'] as const;
export type Way = (typeof WAYS)[number];
export const RUNNERS = ['svcctl', 'svc-server'] as const;
export type Runner = (typeof RUNNERS)[number];

/** The part of the run in which the stop comes, and the output that shows that it has begun. */
const PHASES = { start: undefined, main: 'coil 4', teardown: 'coil 0' } as const;
type Phase = keyof typeof PHASES;

const NAME = 'stopped';
const MAIN_MS = 800;
const TEARDOWN_MS = 500;
/** Something is on from the first command to the last: everything off at once is a safe state. */
const SCENARIO = `SCENARIO: Everything on at the end
GOAL:
  SET NAME 'Work'
  SET valve-5 open
  SET pump 20 %
  WAIT ${MAIN_MS} ms
CONFIG teardown:
  SET valve-1 open
  SET valve-2 open
  SET valve-3 open
  SET pump 40 %
  SET LUNG_STEPS 500
  SET LUNG_PAUSE 0 s
  SET lung '1 cycles'
  WAIT ${TEARDOWN_MS} ms
  SET lung stop
  SET pump 0 %
  SET valve-1 close
  SET valve-2 close
  SET valve-3 close
  SET valve-5 close
`;

const PHASE_LIMIT_MS = 20_000;
const END_LIMIT_MS = 30_000;
const STOP_LIMIT_MS = 15_000;
const REPEATED_LIMIT_MS = 10_000;
/** What a run would still send would be there by then. */
const AFTERMATH_MS = 300;
const WHO = 'stress-test';

export interface Trial {
  way: Way;
  runner: Runner;
  phase: Phase;
  /** Whether anything was on when the stop was asked for: else the trial proves little. */
  wasOn: boolean;
  /** What the stop reported: `safe`, or what was not proven at its first attempt. */
  reported: string;
  /** Exit code, or status in the record. */
  ended: string;
  broken: string[];
}

export interface StopTrialsOptions {
  count: number;
  seed: number;
  progress?: (trial: Trial, done: number) => void;
  signal?: AbortSignal;
}

/**
 * Stops at random moments of runs whose teardown switches everything on. After the first moment at which all is off, nothing
 * may go on until the stop is cleared. Ways and runners take turns.
 */
export async function stopTrials({ count, seed, progress, signal }: StopTrialsOptions): Promise<Trial[]> {
  const rig = await StoppableRig.open();
  const random = seededRandom(seed);
  const trials: Trial[] = [];
  try {
    for (let n = 0; n < count && !signal?.aborted; n++) {
      const way = WAYS[n % WAYS.length] ?? 'svcctl stop';
      const runner = RUNNERS[Math.floor(n / WAYS.length) % RUNNERS.length] ?? 'svcctl';
      const share = random();
      const phase: Phase = share < 0.15 ? 'start' : share < 0.55 ? 'main' : 'teardown';
      const trial = await rig.trial({ way, runner, phase }, random);
      trials.push(trial);
      progress?.(trial, trials.length);
    }
    return trials;
  } finally {
    await rig.close();
  }
}

class StoppableRig {
  readonly #rig: GuardedRig;
  readonly #services: WholeRig;
  readonly #server: Service;
  readonly #trace: TwinTrace;
  readonly #scenario: string;

  static async open(): Promise<StoppableRig> {
    const rig = await GuardedRig.open();
    try {
      const services = await whole(rig);
      await guardOfWhole(rig, services);
      const scenarios = join(rig.folder, 'scenarios');
      mkdirSync(scenarios);
      writeFileSync(join(scenarios, `${NAME}.oql`), SCENARIO);
      const server = await rig.service('svc-server', {
        SVC_FIRMWARE_URL: services.bridge.url,
        SVC_SCENARIO_DIR: scenarios,
      });
      return new StoppableRig(rig, services, server, join(scenarios, `${NAME}.oql`));
    } catch (thrown) {
      await rig.close();
      throw thrown;
    }
  }

  private constructor(rig: GuardedRig, services: WholeRig, server: Service, scenario: string) {
    this.#rig = rig;
    this.#services = services;
    this.#server = server;
    this.#scenario = scenario;
    this.#trace = new TwinTrace(join(rig.folder, 'bench', 'trace.ndjson'), { lung: true });
  }

  async trial(
    { way, runner, phase }: Pick<Trial, 'way' | 'runner' | 'phase'>,
    random: Random,
  ): Promise<Trial> {
    const broken: string[] = [];
    const trace = this.#trace;
    trace.advance();
    let isOver = false;
    const run = (runner === 'svcctl' ? this.#bySvcctl() : this.#byServer()).finally(() => {
      isOver = true;
    });
    const sign = PHASES[phase];
    if (sign !== undefined)
      await eventually(() => {
        trace.advance();
        return isOver || trace.on.includes(sign);
      }, PHASE_LIMIT_MS);
    await systemClock.sleep(random() * (phase === 'main' ? MAIN_MS : phase === 'start' ? 1500 : TEARDOWN_MS));

    trace.advance();
    const wasOn = trace.on.length > 0;
    const atStop = trace.changes.length;
    const outcome = await this.#stop(way);
    const isOff = () => {
      trace.advance();
      return trace.on.length === 0;
    };
    // On a machine under load a step may be proven only when it is repeated.
    if (outcome !== 'safe') await eventually(isOff, REPEATED_LIMIT_MS);
    isOff();
    const atAnswer = trace.changes.length;
    const wasOver = isOver;
    if (trace.on.length > 0) broken.push(`on when the stop had reported ${outcome}: ${trace.on.join(', ')}`);
    const given = new AbortController();
    const late = systemClock.sleep(END_LIMIT_MS, given.signal).catch(() => {});
    const ended = await Promise.race([run, late.then(() => 'never')]);
    given.abort();
    await systemClock.sleep(AFTERMATH_MS);
    trace.advance();
    const offAt = trace.changes.findIndex((change, n) => n >= atStop && change.on.length === 0);
    // What was off at the stop may have been switched on before the stop was there.
    const from = wasOn && offAt >= 0 ? offAt : atAnswer;
    for (const { on, atMs } of trace.changes.slice(from))
      if (on.length > 0)
        broken.push(`${on.join(', ')} on at ${new Date(atMs).toISOString()}, after everything was off`);
    if (!wasOver && !isStopped(ended)) broken.push(`the run ended as ${ended}`);
    if (wasOn && phase === 'main' && !isAborted(ended))
      broken.push(`the run that was stopped ended as ${ended}`);
    broken.push(...(await this.#isHeld()));
    await this.#clear();
    return { way, runner, phase, wasOn, reported: outcome, ended, broken };
  }

  async close(): Promise<void> {
    this.#trace.close();
    await this.#rig.close();
  }

  async #bySvcctl(): Promise<string> {
    const url = this.#services.bridge.url;
    const { code } = await this.#rig.svcctl([
      ...['run', this.#scenario, '--mode', 'execute', '--quiet', '--firmware-url', url],
    ]).ended;
    return String(code);
  }

  async #byServer(): Promise<string> {
    const headers = { 'content-type': 'application/json' };
    const begun = await fetch(`${this.#server.url}/api/scenarios/${NAME}/run?wait=60`, {
      ...{ method: 'POST', headers, body: '{"mode":"execute"}' },
    });
    return String(((await begun.json()) as { status?: unknown }).status);
  }

  async #stop(way: Way): Promise<string> {
    const { bridge } = this.#services;
    if (way === 'POST /safe-state') {
      const url = `${bridge.url}/api/v1/hardware/safe-state?by=${WHO}`;
      const answer = await fetch(url, { method: 'POST' });
      return ((await answer.json()) as { outcome: string }).outcome;
    }
    if (way === 'guard socket') {
      const address = guardAddress(rigKey(this.#rig.stateDir));
      const report = await askGuardToStop(address, { by: WHO }, systemClock, STOP_LIMIT_MS);
      return typeof report === 'string' ? report : report.outcome;
    }
    const { code } = await this.#rig.svcctl(['stop', '--json'], { SVC_FIRMWARE_URL: bridge.url }).ended;
    return code === 0 ? 'safe' : `exit code ${code}`;
  }

  /** While the stop is in force neither a lease nor an actuation is taken. */
  async #isHeld(): Promise<string[]> {
    const base = `${this.#services.bridge.url}/api/v1`;
    const asked: [url: string, body?: string][] = [
      [`${base}/lease`, '{"owner":"next"}'],
      [`${base}/hardware/valve/valve-1?value=true`],
      [`${base}/hardware/pump?power_pct=10`],
    ];
    const broken: string[] = [];
    for (const [url, body] of asked) {
      const headers = { 'content-type': 'application/json' };
      const answer = await fetch(url, { method: 'POST', ...(body === undefined ? {} : { headers, body }) });
      const { code } = (await answer.json()) as { code?: unknown };
      if (code !== 'operator_stop') broken.push(`${url} was answered with ${answer.status} ${code}`);
    }
    return broken;
  }

  async #clear(): Promise<void> {
    const url = `${this.#services.bridge.url}/api/v1/hardware/operator-stop/clear`;
    const until = systemClock.monotonic() + STOP_LIMIT_MS;
    for (;;) {
      const answer = await fetch(url, { method: 'POST' });
      if (answer.ok) return;
      // `svcctl stop` ends with the first report; the other one whom it asked may still be at it.
      const text = await answer.text();
      if (systemClock.monotonic() > until) throw new Error(`the stop is not cleared: ${text}`);
      await systemClock.sleep(AFTERMATH_MS);
    }
  }
}

/** Neither passed nor failed: aborted, or refused because it came after the stop. */
const isStopped = (ended: string): boolean => ['130', '3', 'aborted', 'error'].includes(ended);
const isAborted = (ended: string): boolean => ended === '130' || ended === 'aborted';
