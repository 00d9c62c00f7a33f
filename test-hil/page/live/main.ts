import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { get } from 'node:http';
import { createRequire } from 'node:module';
import { cpus, loadavg } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Browser, type CDPSession, chromium, type Page } from 'playwright-core';
import { systemClock } from '../../../src/lib/clock/clock.ts';
import { paceOf } from '../../../src/services/server/live/shared-batches.ts';
import { temporaryFolder } from '../../../src/test-kit/end-with-parent.ts';
import { end, launchReady, root } from '../../rig/bench/program.ts';
import { machineMs } from '../../rig/safety/stop/machine-time.ts';
import { BROWSER, HOST, PAGE_ENV } from '../browser.ts';
import { configWith, sampling, WRAP_MS } from './scenario.ts';

// npm run bench:live [-- --channels 16 --hz 100 --clients 10 --tabs 1 --seconds 30]: from a reading to the screen. Of the
// clients, `tabs` draw what comes in Chromium; the others read the same stream, as the browsers of other machines would.

const SCREEN_LIMIT_MS = 200;
const SERVER_LIMIT_PCT = 30;
/** The next frame of a screen of 60 Hz. */
const FRAME_MS = 1000 / 60;
/** Time until everything flows, not measured. */
const WARM_UP_MS = 4000;
const TICKS_PER_S = 100;
const ROUNDS = 50;

const say = (line: string): void => void process.stdout.write(`${line}\n`);

const at = (values: readonly number[], share: number): number => {
  const sorted = [...values].sort((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN;
};

/** Milliseconds since a reading that is its own time. */
const ageOf = (value: number, nowMs: number): number => (((nowMs - value) % WRAP_MS) + WRAP_MS) % WRAP_MS;

/** CPU time of a process, ms; NaN when it has ended. */
function cpuMs(pid: number): number {
  if (!existsSync(`/proc/${pid}`)) return Number.NaN;
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ');
  return ((Number(fields[11]) + Number(fields[12])) * 1000) / TICKS_PER_S;
}

/** Resident memory, MB. */
const memoryMb = (pid: number): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;

const processFile = (pid: number, name: string): string => {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'utf8');
  } catch {
    // Ended just now.
    return '';
  }
};

const parentOf = (pid: number): number =>
  Number(/^PPid:\s+(\d+)/m.exec(processFile(pid, 'status'))?.[1] ?? 0);

/** Whether this process has started it, or one that has. */
function isOurs(pid: number): boolean {
  for (let at = pid; at > 1; at = parentOf(at)) if (at === process.pid) return true;
  return false;
}

/** Our processes of Chromium that draw. */
function renderers(): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => processFile(pid, 'cmdline').includes('--type=renderer') && isOurs(pid));
}

/** In the page: notes when values that arrived were drawn, by the canvas, and the frame after that. */
const WATCH_SCREEN = `
  globalThis.shown = [];
  let arrived = [];
  const Original = EventSource;
  globalThis.EventSource = class extends Original {
    constructor(...words) {
      super(...words);
      super.addEventListener('run', ({ data }) => {
        for (const { v } of Object.values(JSON.parse(data).traces))
          for (const value of v) if (value !== null) arrived.push(value);
      });
    }
  };
  const { stroke } = CanvasRenderingContext2D.prototype;
  CanvasRenderingContext2D.prototype.stroke = function (...words) {
    if (arrived.length > 0) {
      const drawn = arrived;
      arrived = [];
      requestAnimationFrame(() => globalThis.shown.push([performance.now(), drawn]));
    }
    return stroke.apply(this, words);
  };
`;

/** A tab that shows the run. */
class Tab {
  readonly #page: Page;
  readonly #session: CDPSession;
  readonly #zeroMs: number;
  readonly faults: string[] = [];

  static async open(browser: Browser, port: number): Promise<Tab> {
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
    const page = await context.newPage();
    await page.addInitScript(WATCH_SCREEN);
    await page.goto(`http://${HOST}:${port}/#/run`);
    await page.waitForSelector('[data-connection=ok]');
    let earliest = Number.NEGATIVE_INFINITY;
    let latest = Number.POSITIVE_INFINITY;
    for (let round = 0; round < ROUNDS; round++) {
      const askedAt = machineMs();
      const pageMs = Number(await page.evaluate('performance.now()'));
      earliest = Math.max(earliest, askedAt - pageMs);
      latest = Math.min(latest, machineMs() - pageMs);
    }
    return new Tab(page, await context.newCDPSession(page), (earliest + latest) / 2);
  }

  private constructor(page: Page, session: CDPSession, zeroMs: number) {
    this.#page = page;
    this.#session = session;
    this.#zeroMs = zeroMs;
    page.on('pageerror', (fault) => this.faults.push(fault.message));
  }

  /** Ages of the values that were drawn since the last time, ms, and in how many pictures. */
  async takeAges(): Promise<{ ages: number[]; pictures: number }> {
    const shown = (await this.#page.evaluate('globalThis.shown.splice(0)')) as [number, number[]][];
    const ages = shown.flatMap(([pageMs, values]) =>
      values.map((value) => ageOf(value, this.#zeroMs + pageMs)),
    );
    return { ages, pictures: shown.length };
  }

  /** After a collection, MB. */
  async heapMb(): Promise<number> {
    await this.#session.send('HeapProfiler.collectGarbage');
    const { usedSize } = (await this.#session.send('Runtime.getHeapUsage')) as { usedSize: number };
    return usedSize / 1024 / 1024;
  }
}

/** NODE_OPTIONS with which PM2 starts svc-server. */
function supervisedOptions(): string {
  const path = join(root, 'ecosystem.config.cjs');
  const { apps } = createRequire(path)(path) as { apps: { name: string; env: Record<string, string> }[] };
  return apps.find(({ name }) => name === 'svc-server')?.env.NODE_OPTIONS ?? '';
}

interface BuildModule {
  build(options: { entries: Readonly<Record<string, string>>; outDir: string }): Promise<unknown>;
  programs: Readonly<Record<string, string>>;
  threads: Readonly<Record<string, string>>;
}

/** svc-server with its page, and the bridge. */
async function buildPrograms(outDir: string): Promise<void> {
  const { build, programs, threads } = (await import(join(root, 'build.mjs'))) as BuildModule;
  const { 'svc-server': server = '' } = programs;
  await build({
    entries: { ...threads, 'svc-server': server, bridge: 'test-hil/page/live/bridge.ts' },
    outDir,
  });
}

/** Reads the stream as a browser does, and notes the age of what comes. */
function readStream(port: number, ages: number[]): () => void {
  let rest = '';
  const request = get({ host: '127.0.0.1', port, path: '/api/live' }, (answer) =>
    answer.setEncoding('utf8').on('data', (text: string) => {
      const nowMs = machineMs();
      const parts = (rest + text).split('\n\n');
      rest = parts.pop() ?? '';
      for (const part of parts) {
        if (!part.includes('event: run')) continue;
        const data = /^data: (.*)$/m.exec(part)?.[1] ?? '{}';
        const { traces } = JSON.parse(data) as { traces: Record<string, { v: (number | null)[] }> };
        for (const { v } of Object.values(traces))
          for (const value of v) if (value !== null) ages.push(ageOf(value, nowMs));
      }
    }),
  );
  request.on('error', () => {});
  return () => request.destroy();
}

function show(name: string, ages: readonly number[]): void {
  const figures = [0.5, 0.9, 0.99, 1].map((share) => at(ages, share).toFixed(0).padStart(7)).join('');
  say(`  ${name.padEnd(44)}${figures}   ${ages.length} values`);
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      channels: { type: 'string', default: '16' },
      hz: { type: 'string', default: '100' },
      clients: { type: 'string', default: '10' },
      tabs: { type: 'string', default: '1' },
      seconds: { type: 'string', default: '30' },
    },
  });
  const [channels = 0, hz = 0, clients = 0, tabCount = 0, seconds = 0] = [
    values.channels,
    values.hz,
    values.clients,
    values.tabs,
    values.seconds,
  ].map(Number);
  if (![channels, hz, clients, tabCount, seconds].every((number) => Number.isInteger(number) && number > 0))
    throw new RangeError('--channels, --hz, --clients, --tabs and --seconds are whole numbers above 0');
  const paceMs = paceOf(Math.max(clients, tabCount));
  const floorMs = paceMs + FRAME_MS;
  say(
    `load before the start: ${loadavg()[0]?.toFixed(1)} on ${cpus().length} cores; other work makes all times worse`,
  );
  const folder = temporaryFolder('live-');
  writeFileSync(join(folder, 'svc.yaml'), configWith(channels));
  writeFileSync(join(folder, 'many.oql'), sampling(channels, hz, seconds + WARM_UP_MS / 1000 + 1));
  await buildPrograms(join(folder, 'dist'));
  const bridge = await launchReady(join(folder, 'dist', 'bridge.cjs'), [values.channels]);
  const server = await launchReady(join(folder, 'dist', 'svc-server.cjs'), ['--port', '0'], {
    ...PAGE_ENV,
    NODE_OPTIONS: supervisedOptions(),
    SVC_CONFIG_PATH: join(folder, 'svc.yaml'),
    SVC_STATE_DIR: join(folder, 'state'),
    SVC_SCENARIO_DIR: folder,
    SVC_HARDWARE_MODE: 'real',
    SVC_FIRMWARE_URL: bridge.url,
  });
  const port = Number(new URL(server.url).port);
  const browser = await chromium.launch(BROWSER);
  const arrivals: number[] = [];
  const closers: (() => void)[] = [];
  try {
    const tabs: Tab[] = [];
    for (let tab = 0; tab < tabCount; tab++) tabs.push(await Tab.open(browser, port));
    for (let client = tabCount; client < clients; client++) closers.push(readStream(port, arrivals));
    const answer = await fetch(`${server.url}/api/scenarios/many/run`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ mode: 'execute' }),
    });
    if (!answer.ok) throw new Error(`the run does not start: ${await answer.text()}`);
    await systemClock.sleep(WARM_UP_MS);
    for (const tab of tabs) await tab.takeAges();
    arrivals.length = 0;
    const pids = renderers();
    const cpu = () => [server.pid, ...pids].map(cpuMs);
    const [before, heapBefore, startedAt] = [cpu(), await tabs[0]?.heapMb(), machineMs()];
    await systemClock.sleep(seconds * 1000);
    const lastedMs = machineMs() - startedAt;
    const shares = cpu().map((ms, index) => (100 * (ms - (before[index] ?? 0))) / lastedMs);
    const [serverPct = 0, ...tabPcts] = shares;
    const taken = await Promise.all(tabs.map((tab) => tab.takeAges()));
    const ages = taken.flatMap((one) => one.ages);
    const pictures = taken.reduce((sum, one) => sum + one.pictures, 0);
    say('');
    say(
      `${channels} channels at ${hz} Hz, ${clients} clients, ${tabCount} of them draw; ms since the reading`.padEnd(
        46,
      ),
    );
    say(`  ${''.padEnd(44)}${['p50', 'p90', 'p99', 'most'].map((head) => head.padStart(7)).join('')}`);
    show('on the screen', ages);
    if (arrivals.length > 0) show('at the other clients', arrivals);
    say(
      `  floor, a batch in ${paceMs.toFixed(0)} ms and a frame of 60 Hz: ${floorMs.toFixed(0)} ms at most; ratio of p99 ${(at(ages, 0.99) / floorMs).toFixed(1)}`,
    );
    say(
      `  CPU of svc-server, interpreter, requests to the bridge and record included: ${serverPct.toFixed(0)} % of a core; of the tabs: ${tabPcts
        .filter((pct) => pct >= 1)
        .map((pct) => pct.toFixed(0))
        .join(', ')} %`,
    );
    // What is drawn costs the same on a loaded machine, only later.
    const drawnMs = (tabPcts.reduce((sum, pct) => sum + pct, 0) / 100) * lastedMs;
    say(`  CPU of the tabs for one picture: ${(drawnMs / pictures).toFixed(1)} ms, ${pictures} pictures`);
    say(
      `  memory of svc-server: ${memoryMb(server.pid).toFixed(0)} MB; heap of a tab: ${heapBefore?.toFixed(1)} MB, then ${(await tabs[0]?.heapMb())?.toFixed(1)} MB`,
    );
    for (const { faults } of tabs) for (const fault of faults) say(`  FAULT of a page: ${fault}`);
    const p99 = at(ages, 0.99);
    const { runs } = (await (await fetch(`${server.url}/api/runs`)).json()) as { runs: object[] };
    if (ages.length === 0) throw new Error(`nothing was drawn: ${JSON.stringify(runs[0])}`);
    say('');
    say(
      `${p99 <= SCREEN_LIMIT_MS ? 'reached' : 'MISSED '} on the screen, p99 at most ${SCREEN_LIMIT_MS} ms: ${p99.toFixed(0)} ms`,
    );
    say(
      `${serverPct <= SERVER_LIMIT_PCT ? 'reached' : 'MISSED '} CPU of svc-server at most ${SERVER_LIMIT_PCT} % of a core: ${serverPct.toFixed(0)} %`,
    );
  } finally {
    for (const close of closers) close();
    await browser.close();
    await end(server, 'SIGKILL');
    await end(bridge, 'SIGKILL');
  }
}

main().catch((fault: unknown) => {
  process.stderr.write(`bench:live: ${fault instanceof Error ? fault.message : String(fault)}\n`);
  process.exitCode = fault instanceof RangeError ? 2 : 1;
});
