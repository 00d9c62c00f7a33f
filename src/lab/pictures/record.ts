import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Browser } from '../window-training/browser.ts';
import { LAYOUT_SCRIPT } from './layout-script.ts';
import type {
  Exchange,
  LeaseRecording,
  Mark,
  ReportRecording,
  StopRecording,
  TerminalRecording,
} from './recording.ts';
import { RigProcess } from './rig-process.ts';

const CHROMIUM = '/usr/bin/chromium';
const REPORT_SIZE = { width: 1000, height: 1380 };
const SCENARIO = 'scenarios/mask-leak.oql';
const TTL_MS = 5000;
const RENEWALS = 3;

/** Brings up a rig of twins, carries out what the pictures show, and writes down what happened. */
export async function record(folder: string): Promise<void> {
  // One entry a line, for comparisons.
  const keep = (name: string, recording: object) =>
    writeFileSync(join(folder, `${name}.json`), `${JSON.stringify(recording).replaceAll('},{', '},\n{')}\n`);
  const rig = await RigProcess.start();
  try {
    const { terminal, report } = await leakingMask(rig);
    keep('failed-check', terminal);
    keep('report', report);
    keep('safe-state', await stop(rig));
    keep('lease', await lease(rig));
  } finally {
    await rig.end();
  }
}

/** A mask that leaks 1 % of its pressure in each second. */
async function leakingMask(
  rig: RigProcess,
): Promise<{ terminal: TerminalRecording; report: ReportRecording }> {
  await rig.svcctl('bench', 'knobs', 'plant', 'leak=0.01');
  const page = join(rig.folder, 'report.html');
  const options = ['--mode', 'execute', '--unit', 'SN-0417', '--operator', 'Anna', '--report', page];
  const output = await rig.svcctl(resolve(SCENARIO), ...options);
  await rig.svcctl('bench', 'knobs', 'plant', 'leak=null');
  const html = readFileSync(page, 'utf8').replaceAll(`${resolve('.')}/`, '');
  const command = `npx svcctl ${SCENARIO} --mode execute --report report.html`;
  return { terminal: { command, output }, report: await layout(html) };
}

/** An operator's stop while pump, lung and two valves are on. */
async function stop(rig: RigProcess): Promise<StopRecording> {
  const hardware = `${rig.bridgeUrl}/api/v1/hardware`;
  for (const valve of ['valve-1', 'valve-2']) await rig.call('POST', `${hardware}/valve/${valve}?value=true`);
  await rig.call('POST', `${hardware}/pump?power_pct=30`);
  await rig.call('POST', `${hardware}/lung?steps=2000&speed=10000000&cycles=20`);
  await sleep(1000);
  const report = await rig.call('POST', `${hardware}/safe-state?by=Anna`);
  await sleep(300);
  const { operator_stop: taken } = report as { operator_stop: { at: string } };
  const zero = Date.parse(taken.at);
  const trace = await traceOf(rig, zero);
  await rig.svcctl('stop', '--clear');
  const { steps, duration_ms: durationMs } = report as unknown as {
    steps: StopRecording['steps'];
    duration_ms: number;
  };
  return {
    trace: trace.filter(({ at }) => at > -20 && at < durationMs + 20),
    steps: steps.map(({ name, duration_ms, detail }) => ({ name, duration_ms, detail })),
    durationMs,
  };
}

/** A holder that renews its lease every third of its time, and then does not. */
async function lease(rig: RigProcess): Promise<LeaseRecording> {
  const api = `${rig.bridgeUrl}/api/v1`;
  const granted = await rig.call('POST', `${api}/lease`, { owner: 'Anna', ttl_ms: TTL_MS });
  const id = String(granted.lease_id);
  const zero = Date.now();
  const now = () => Date.now() - zero;
  const calls: LeaseRecording['calls'][number][] = [{ at: 0, call: 'take' }];
  await rig.call('POST', `${api}/hardware/valve/valve-1?value=true`, undefined, id);
  calls.push({ at: now(), call: 'open' });
  for (let n = 1; n <= RENEWALS; n++) {
    await sleep((n * TTL_MS) / 3 - now());
    await rig.call('POST', `${api}/lease/${id}/renew`, undefined, id);
    calls.push({ at: now(), call: 'renew' });
  }
  while ((await rig.call('GET', `${api}/lease`)).held === true) await sleep(10);
  const freeAt = now();
  await sleep(1000);
  const coil = (await traceOf(rig, zero)).flatMap(({ at, kind, coil: n, on }) =>
    kind === 'coil' && n === 0 && at > -20 ? [{ at, on: on === true }] : [],
  );
  const health = (await rig.call('GET', `${rig.bridgeUrl}/health`)) as {
    safe_state: { outcome: string; reason: string };
  };
  const { outcome, reason } = health.safe_state;
  return { ttlMs: TTL_MS, calls, coil, freeAt, safeState: { outcome, reason } };
}

/** The twins' trace; `zero` is a wall clock time in ms. */
async function traceOf(rig: RigProcess, zero: number): Promise<Exchange[]> {
  const { trace } = (await rig.call('GET', `${rig.benchUrl}/bench/v1/trace?limit=5000`)) as {
    trace: { n: number; at_ms: number; at: string; device: string; kind: string }[];
  };
  const last = trace.at(-1);
  if (!last) return [];
  // `at` has whole milliseconds; `at_ms` is exact, and from another beginning.
  const offset = Date.parse(last.at) - last.at_ms;
  return trace.map(({ n: _n, at_ms, at: _at, ...entry }) => ({
    at: Math.round((at_ms + offset - zero) * 10) / 10,
    ...entry,
  }));
}

/** Texts and boxes of the head of the report, as a browser lays them out in light colours. */
async function layout(html: string): Promise<ReportRecording> {
  const browser = await Browser.open(CHROMIUM, REPORT_SIZE);
  try {
    await browser.show(html);
    const marks = (await browser.evaluate(LAYOUT_SCRIPT)) as Mark[];
    const seen = marks.filter(({ y }) => y < REPORT_SIZE.height);
    return { ...REPORT_SIZE, marks: seen };
  } finally {
    await browser.close();
  }
}
