import { type ChildProcess, fork, spawn } from 'node:child_process';
import { type AddressInfo, createServer } from 'node:net';
import { fileURLToPath } from 'node:url';
import type { TraceEntry } from '../../../../src/bench/trace/trace-entry.ts';
import { systemClock } from '../../../../src/lib/clock/clock.ts';
import { type Random, seededRandom } from '../../../../src/lib/random/seeded-random.ts';
import { PAGE_ENV } from '../../../page/browser.ts';
import { startAttack } from '../../http/start-attack.ts';
import { SafetyRig } from '../safety-rig.ts';
import { type BenchZero, benchZero, machineMs } from './machine-time.ts';
import { FirstByteProxy } from './proxy.ts';
import type { Session, Way } from './ways.ts';
import { floorOf, framesOf } from './wire.ts';

const ALL_OFF_CHARACTERS = 8;
const UP_LIMIT_MS = 30_000;
const FRAME_LIMIT_MS = 8000;
const POLL_MS = 5;
const LOOK_BACK = 20;
/** An attack ends with the trials. */
const LONGEST_S = 86_400;
const BUSY = fileURLToPath(new URL('./busy.cjs', import.meta.url));
const LOAD = fileURLToPath(new URL('./load.ts', import.meta.url));

/** One stop; all times in milliseconds from the moment that counts. */
export interface Trial {
  /** First and last byte of the all-off frame on the wire. */
  firstMs: number;
  lastMs: number;
  /**
   * What the line alone would take until the last byte: what is on it, 3.5 characters of silence, eight characters; behind
   * the floor of what comes before the line.
   */
  floorMs: number;
  /** From the start of the command to its first byte, and of the whole command. */
  startMs?: number;
  wholeMs?: number;
  /** The floor of the command: from the start of a bare node to the one byte that it sends at once. */
  bareMs?: number;
  /** The program that made the rig safe, where it says so. */
  by?: string;
}

export interface TrialsOptions {
  way: Way;
  trials: number;
  seed: number;
  progress?: (done: number) => void;
  /** Aborts: what is measured until then counts. */
  signal: AbortSignal;
}

/** Many stops of one way on a rig of its own, at line rate. */
export async function trialsOf(options: TrialsOptions): Promise<{ trials: Trial[]; zero: BenchZero }> {
  const { way } = options;
  const rig = await SafetyRig.open({
    benchArgs: ['--line-rate'],
    env: { ...PAGE_ENV, NODE_OPTIONS: `--require ${BUSY}` },
  });
  const proxy = new FirstByteProxy(rig.bridgeUrl);
  let session: Session | undefined;
  const loads: ChildProcess[] = [];
  try {
    const zero = await benchZero(rig.benchUrl);
    session = await way.open(rig, proxy, await proxy.open());
    if (way.saturated) loads.push(fork(LOAD, [rig.bridgeUrl], { execArgv: ['--import', 'tsx'] }));
    for (const attack of way.attacks ?? [])
      loads.push(startAttack(rig.bridgeUrl, { seconds: LONGEST_S, name: attack }));
    const random = seededRandom(options.seed);
    const trials: Trial[] = [];
    for (let done = 1; done <= options.trials && !options.signal.aborted; done++) {
      trials.push(await oneTrial({ rig, way, session, zero, random }));
      options.progress?.(done);
      if (!way.killsBridge) continue;
      await rig.untilUp(UP_LIMIT_MS);
    }
    return { trials, zero };
  } finally {
    for (const load of loads) load.kill('SIGTERM');
    await session?.close?.();
    proxy.close();
    await rig.close();
  }
}

interface Surroundings {
  rig: SafetyRig;
  way: Way;
  session: Session;
  zero: BenchZero;
  random: Random;
}

async function oneTrial({ rig, way, session, zero, random }: Surroundings): Promise<Trial> {
  await rig.clearStop();
  if (!way.saturated) await (session.actuate?.() ?? moveSomething(rig));
  await untilOn(rig);
  // At any moment of a transaction, and not always at the same one; a saturated line has to be saturated again first.
  await systemClock.sleep(way.saturated ? 350 + 60 * random() : 100 + 300 * random());
  // Also what came just before: it may be in flight when the stop is asked for.
  const entries: TraceEntry[] = rig.trace.advance().slice(-LOOK_BACK);
  const { atMs, commandMs, endedMs, by } = await session.stop();
  const until = systemClock.monotonic() + FRAME_LIMIT_MS;
  for (;;) {
    entries.push(...rig.trace.advance());
    const frames = framesOf(entries, zero);
    const off = frames.find((frame) => frame.isAllOff && frame.endedMs >= atMs);
    // The answers of what was in flight have to be there as well.
    if (off && frames.at(-1) !== off) {
      const bareMs = commandMs === undefined ? undefined : await bareStart();
      const beforeLineMs = (await session.after?.()) ?? 0;
      return {
        firstMs: off.beganMs - atMs,
        lastMs: off.endedMs - atMs,
        floorMs: beforeLineMs + floorOf(frames, atMs + beforeLineMs, ALL_OFF_CHARACTERS).lastMs,
        ...(by === undefined ? {} : { by }),
        ...(commandMs === undefined ? {} : { startMs: atMs - commandMs }),
        ...(bareMs === undefined ? {} : { bareMs }),
        ...(commandMs === undefined || endedMs === undefined ? {} : { wholeMs: endedMs - commandMs }),
      };
    }
    if (systemClock.monotonic() > until)
      throw new Error(`${way.name}: no all-off frame within ${FRAME_LIMIT_MS} ms${rig.lastWords()}`);
    await systemClock.sleep(POLL_MS);
  }
}

const SENDS_ONE_BYTE = "require('node:net').connect(Number(process.argv[1]), '127.0.0.1').end('x')";

/** No command of node's can be sooner: it starts, connects and sends. @returns milliseconds until the byte is there */
async function bareStart(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const startedMs = machineMs();
  const child = spawn(process.execPath, ['-e', SENDS_ONE_BYTE, String(port)], {
    env: { PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? '' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const bareMs = await new Promise<number>((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', () => reject(new Error('a bare node ended without its byte')));
    server.once('connection', (socket) => {
      socket.once('data', () => {
        resolve(machineMs() - startedMs);
        socket.destroy();
      });
    });
  }).finally(() => server.close());
  await ended;
  return bareMs;
}

/** A stop of nothing would measure nothing. */
async function untilOn(rig: SafetyRig): Promise<void> {
  const until = systemClock.monotonic() + UP_LIMIT_MS;
  for (rig.trace.advance(); !rig.trace.on.some((name) => name.startsWith('pump')); rig.trace.advance()) {
    if (systemClock.monotonic() > until) throw new Error(`the pump is not on${rig.lastWords()}`);
    await systemClock.sleep(POLL_MS);
  }
}

/** Valve and pump on, by hand. A bridge that is making safe refuses; it is asked again. */
async function moveSomething(rig: SafetyRig): Promise<void> {
  const paths = ['valve/valve-1?value=true', 'pump?power_pct=20'];
  const until = systemClock.monotonic() + UP_LIMIT_MS;
  for (const path of paths)
    for (;;) {
      const response = await fetch(`${rig.bridgeUrl}/api/v1/hardware/${path}`, { method: 'POST' });
      const text = await response.text();
      if (response.ok) break;
      if (systemClock.monotonic() > until) throw new Error(`${path}: ${text}${rig.lastWords()}`);
      await systemClock.sleep(POLL_MS);
    }
}
