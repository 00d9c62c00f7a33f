import { readFileSync } from 'node:fs';
import { systemClock } from '../../../../src/lib/clock/clock.ts';
import { messageOf } from '../../../../src/lib/errors/coded-error.ts';
import { HeartbeatMonitor } from '../../../../src/lib/liveness/heartbeat-monitor.ts';
import { liveAddress, rigKey } from '../../../../src/lib/liveness/live-address.ts';
import { RIG_PORTS, type RigService } from '../../../../src/rig/profiles/rig-services.ts';
import { EventReader } from '../../server/sse.ts';
import { SafetyRig } from '../safety-rig.ts';
import { type Drift, driftOf } from './drift.ts';
import {
  activeResources,
  COLLECTABLE,
  collectGarbage,
  type ProcessSample,
  sampleProcess,
} from './process-samples.ts';

export interface SoakOptions {
  minutes: number;
  /** Minutes at the begin whose growth does not count. */
  warmUp: number;
  /** Clients that read health, state, sensors, runs and metrics all the time. */
  readers: number;
  /** Name of a shipped scenario, run back to back. */
  scenario: string;
  signal: AbortSignal;
  /** A line for people each minute. */
  progress: (line: string) => void;
}

export interface SoakResult {
  runs: number;
  reads: number;
  /** Longest silence of the life line of each process that has one, in ticks of this process, milliseconds. */
  silenceMs: Map<RigService, number>;
  drifts: Map<RigService, Drift[]>;
  /** What must not be: a run that did not pass, a lost event, a process that was started again, a refused read. */
  faults: string[];
}

const WITH_LIFE_LINE = ['svc-bridge', 'svc-pump', 'svc-lung'] as const satisfies RigService[];
const SAMPLES = 240;
const READ_PAUSE_MS = 100;

/** Runs a rig under PM2 with runs back to back beside readers, and reports what of it was not as in the first minutes. */
export async function soak(options: SoakOptions): Promise<SoakResult> {
  const rig = await SafetyRig.open({ env: { NODE_OPTIONS: COLLECTABLE } });
  const stop = new AbortController();
  const signal = AbortSignal.any([options.signal, stop.signal]);
  const faults: string[] = [];
  const fault = (text: string): void => void (signal.aborted || faults.push(text));
  const urls = urlsOf(rig);
  const pids = new Map(rig.services.map((name) => [name, rig.pidOf(name)]));
  const samples = new Map<RigService, ProcessSample[]>(rig.services.map((name) => [name, []]));
  const silenceMs = new Map<RigService, number>();
  const watches = WITH_LIFE_LINE.map((name) => watchLife(rig, name, silenceMs, fault));
  const count = { runs: 0, reads: 0 };
  const beganAt = systemClock.monotonic();
  const elapsedMs = () => systemClock.monotonic() - beganAt;

  async function runs(): Promise<void> {
    while (!signal.aborted) {
      await oneRun(urls.get('svc-server') ?? '', options.scenario).then(
        (why) => (why === undefined ? count.runs++ : fault(why)),
        (thrown: unknown) => fault(`a run: ${messageOf(thrown)}`),
      );
    }
  }

  async function reader(first: number): Promise<void> {
    const paths = readPaths(urls);
    for (let at = first; !signal.aborted; at++) {
      const url = paths[at % paths.length] ?? '';
      const status = await read(url);
      if (status === 200) count.reads++;
      else fault(`GET ${url}: ${status}`);
      await systemClock.sleep(READ_PAUSE_MS, signal).catch(() => {});
    }
  }

  async function sampler(): Promise<void> {
    const everyMs = (options.minutes * 60_000) / SAMPLES;
    while (elapsedMs() < options.minutes * 60_000 && !signal.aborted) {
      await collectGarbage(pids.values());
      for (const [name, pid] of pids) {
        const seen = sampleProcess(pid);
        const url = urls.get(name);
        const resources = url === undefined ? undefined : await activeResources(url);
        if (seen) samples.get(name)?.push({ ...seen, resources, atMs: elapsedMs() });
      }
      await systemClock.sleep(everyMs, signal).catch(() => {});
    }
  }

  async function reporter(): Promise<void> {
    for (;;) {
      await systemClock.sleep(60_000, signal);
      const text = `${count.runs} runs, ${count.reads} reads, ${faults.length} faults`;
      options.progress(`${Math.round(elapsedMs() / 60_000)} min: ${text}`);
    }
  }

  try {
    const readers = Array.from({ length: options.readers }, (_, index) => reader(index));
    const others = Promise.all([runs(), ...readers, reporter().catch(() => {})]);
    await sampler();
    for (const [name, pid] of pids)
      if (rig.pidOf(name) !== pid) fault(`${name} (pid ${pid}) was started again`);
    stop.abort();
    await others;
    const drifts = new Map(
      [...samples].map(([name, list]) => [name, driftOf(list, options.warmUp * 60_000)]),
    );
    return { ...count, silenceMs, drifts, faults };
  } finally {
    stop.abort();
    for (const watch of watches) watch.stop();
    await rig.close();
  }
}

/** @returns its status, or why there was no answer */
async function read(url: string): Promise<number | string> {
  try {
    const response = await fetch(url);
    await response.arrayBuffer();
    return response.status;
  } catch (thrown) {
    return messageOf(thrown);
  }
}

/** @returns what was wrong with it */
async function oneRun(server: string, scenario: string): Promise<string | undefined> {
  const response = await fetch(`${server}/api/scenarios/${scenario}/run`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ mode: 'execute' }),
  });
  const begun = (await response.json()) as { run_id?: string };
  if (response.status !== 202 || begun.run_id === undefined)
    return `a run was not begun: ${response.status} ${JSON.stringify(begun)}`;
  const events = await EventReader.open(`${server}/api/runs/${begun.run_id}/events`);
  await events.untilEnd();
  const lost = events.received.findIndex(({ id, data }, index) => Number(id) !== index || data.seq !== index);
  if (lost >= 0) return `run ${begun.run_id}: event ${lost} is missing in the stream`;
  const last = events.received.at(-1);
  if (last?.event !== 'run.end') return `run ${begun.run_id}: the stream ended with ${last?.event}`;
  const { outcome } = last.data;
  return outcome === 'passed' ? undefined : `run ${begun.run_id}: ${outcome}`;
}

function watchLife(
  rig: SafetyRig,
  name: RigService,
  silenceMs: Map<RigService, number>,
  fault: (text: string) => void,
): HeartbeatMonitor {
  const watch = new HeartbeatMonitor({
    address: liveAddress(name, rigKey(rig.folder.state)),
    clock: systemClock,
    name: 'soak',
    onHello: () => {},
    onLine: () => {},
    onGone: () => fault(`the life line of ${name} ended`),
    onTick: () => silenceMs.set(name, Math.max(silenceMs.get(name) ?? 0, watch.silentMs)),
  });
  watch.start();
  return watch;
}

/** Where the services of the rig listen, as PM2's file tells them. */
function urlsOf(rig: SafetyRig): Map<RigService, string> {
  const settings = readFileSync(rig.folder.settings, 'utf8');
  const found = Object.entries(RIG_PORTS).flatMap(([name, [, variable]]) => {
    const port = new RegExp(`^${variable}=(\\d+)$`, 'm').exec(settings)?.[1];
    return port === undefined ? [] : [[name as RigService, `http://127.0.0.1:${port}`] as const];
  });
  return new Map(found);
}

function readPaths(urls: Map<RigService, string>): string[] {
  const of = (name: RigService, ...paths: string[]) => paths.map((path) => `${urls.get(name)}${path}`);
  return [
    ...of('svc-bridge', '/health', '/api/v1/state', '/api/v1/hardware/valves', '/metrics', '/api/v1/lease'),
    ...of('svc-bridge', '/api/v1/hardware/sensor/ai01', '/api/v1/hardware/sensor/ai03', '/openapi.json'),
    ...of('svc-server', '/health', '/api/scenarios', '/api/runs', '/metrics'),
    ...of('svc-pump', '/health', '/metrics'),
    ...of('svc-lung', '/health', '/metrics'),
    ...of('svc-sensors', '/health', '/metrics'),
  ];
}
