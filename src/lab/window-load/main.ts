/**
 * What memory svc-window takes when many jobs come at once, and whether its health is still reported in time. Each mix of jobs
 * has a service of its own, the built one.
 *
 * The allocator's settings are those that PM2 starts it with.
 *
 *   npm run bench:window-memory -- [--jobs=24] [--rounds=2] [--mix=all] [--bundle=dist/svc-window.cjs]
 */
import { copyFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { systemClock } from '../../lib/clock/clock.ts';
import { temporaryFolder } from '../../test-kit/end-with-parent.ts';
import { jobsOf, MIXES, type Mix, programOf } from './jobs.ts';
import { ask, loadTest, quantile, timesOf } from './load.ts';
import { drawPictures, type Pair, type Size } from './pictures.ts';
import { startWatched } from './watched-service.ts';

interface Options {
  bundle: string;
  folder: string;
  /** Jobs at once. */
  count: number;
  rounds: number;
  pictures: { pairs: Map<Size, Pair>; broken: string[] };
}

/** Jobs of one kind, one after the other, of which the first half warms up. */
const ALONE = 40;
/** What has no work gives its memory back in this time. */
const REST_MS = 3000;

async function measure(name: string, mix: Mix, options: Options): Promise<void> {
  const { bundle, folder, count, rounds, pictures } = options;
  const env = { SVC_STATE_DIR: join(folder, 'state'), SVC_CONFIG_PATH: '/dev/null', ...mallocSettings() };
  const service = await startWatched(bundle, env, systemClock);
  try {
    const baseline = service.residentMb();
    for (const size of mix.sizes) {
      const file = programOf(folder, size, 0);
      const image = pictures.pairs.get(size)?.before;
      await ask(service.url, { operation: 'analyze', body: { image, file } });
      for (let index = 1; index < count; index++) copyFileSync(file, programOf(folder, size, index));
    }
    service.forget();
    const jobs = jobsOf(mix, { count, folder, ...pictures });
    let peak = 0;
    for (let round = 0; round < rounds; round++) {
      const { outcomes, seconds, healthP50Ms, healthP99Ms } = await loadTest(service.url, jobs, systemClock);
      peak = service.peakMb();
      const told = Object.entries(outcomes).map(([outcome, times]) => `${times} x ${outcome}`);
      say(
        `${name.padEnd(8)} ${mb(baseline)} at start, peak ${mb(peak)} (sampled ${mb(service.sampledPeakMb())}), ` +
          `health p50 ${healthP50Ms.toFixed(1)} ms, p99 ${healthP99Ms.toFixed(1)} ms, ` +
          `${seconds.toFixed(1)} s: ${told.join(', ')}`,
      );
    }
    await systemClock.sleep(REST_MS);
    say(`${''.padEnd(8)} ${mb(service.residentMb())} ${REST_MS / 1000} s later`);
  } finally {
    await service.stop();
  }
}

/** What one request takes when there is no other. */
async function measureAlone({ bundle, folder, pictures }: Options): Promise<void> {
  const env = { SVC_STATE_DIR: join(folder, 'state'), SVC_CONFIG_PATH: '/dev/null', ...mallocSettings() };
  const service = await startWatched(bundle, env, systemClock);
  try {
    const file = join(folder, 'alone.vql.json');
    const image = pictures.pairs.get('screen')?.after;
    const jobs = Array.from({ length: ALONE }, (_, index) => ({
      operation: 'analyze' as const,
      body: { image, file, grid: 12 + (index % 2) },
    }));
    await timesOf(service.url, jobs, systemClock);
    const times = await timesOf(service.url, jobs, systemClock);
    const [low, median, high] = [0, 0.5, 0.9].map((share) => quantile(times, share).toFixed(1));
    say(`one analyze of 1280 x 800 after the other: ${median} ms (best ${low}, p90 ${high})`);
  } finally {
    await service.stop();
  }
}

/** Settings of the allocator as PM2 gives them to the service, or as this program was given them. */
function mallocSettings(): Record<string, string> {
  const { apps } = createRequire(import.meta.url)(resolve('ecosystem.config.cjs')) as Ecosystem;
  const supervised = apps.find(({ name }) => name === 'svc-window')?.env ?? {};
  const all = { ...supervised, ...process.env };
  return Object.fromEntries(
    Object.entries(all).flatMap(([name, value]) =>
      name.startsWith('MALLOC_') && value !== undefined ? [[name, value]] : [],
    ),
  );
}

interface Ecosystem {
  apps: { name: string; env?: Record<string, string> }[];
}

const mb = (value: number) => `${value.toFixed(0)} MB`;
const say = (line: string) => process.stdout.write(`${line}\n`);

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      jobs: { type: 'string', default: '24' },
      rounds: { type: 'string', default: '2' },
      mix: { type: 'string', default: Object.keys(MIXES).join(',') },
      bundle: { type: 'string', default: join('dist', 'svc-window.cjs') },
    },
  });
  const chosen = values.mix.split(',').map((name): [string, Mix] => {
    const mix = MIXES[name];
    if (!mix) throw new Error(`no mix ${JSON.stringify(name)}; there are ${Object.keys(MIXES).join(', ')}`);
    return [name, mix];
  });
  const folder = temporaryFolder('svc-window-load-');
  try {
    const sizes = new Set<Size>(['screen', ...chosen.flatMap(([, mix]) => mix.sizes)]);
    const pictures = await drawPictures(folder, [...sizes]);
    const options: Options = {
      bundle: resolve(values.bundle),
      folder,
      count: Number(values.jobs),
      rounds: Number(values.rounds),
      pictures,
    };
    await measureAlone(options);
    for (const [name, mix] of chosen) await measure(name, mix, options);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

main().catch((error: unknown) => {
  process.stderr.write(`${String(error)}\n`);
  process.exitCode = 1;
});
