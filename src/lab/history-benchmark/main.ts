/**
 * Lists and statistics of a long history, from svc-server as it is built, beside SQLite on the same file: what a list
 * and a sum cost without the server, its thread and HTTP.
 *
 *   npm run bench:history -- [--runs=100000] [--rounds=15] [--folder=FOLDER]
 *
 * Records that are in FOLDER from an earlier call are taken as they are.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { systemClock } from '../../lib/clock/clock.ts';
import { Database } from '../../services/server/run-index/database.ts';
import { INDEX_FILE } from '../../services/server/run-index/open-index.ts';
import { makeRecords } from './make-records.ts';

const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '100000' },
    rounds: { type: 'string', default: '15' },
    folder: { type: 'string' },
  },
});
const [count, rounds] = [Number(values.runs), Number(values.rounds)];
const POLL_MS = 500;

interface Server {
  child: ChildProcess;
  url: string;
  /** From the start of the process to the line that says that it is ready. */
  readyMs: number;
}

async function startServer(stateDir: string): Promise<Server> {
  const begunMs = systemClock.monotonic();
  const child = spawn(process.execPath, ['dist/svc-server.cjs', '--port', '0'], {
    env: {
      PATH: process.env.PATH ?? '',
      SVC_CONFIG_PATH: '/dev/null',
      SVC_STATE_DIR: stateDir,
      SVC_FIRMWARE_URL: 'http://127.0.0.1:1',
    },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  const { url } = JSON.parse(line.toString()) as { url: string };
  return { child, url, readyMs: systemClock.monotonic() - begunMs };
}

async function stop({ child }: Server): Promise<void> {
  const ended = once(child, 'close');
  child.kill('SIGTERM');
  await ended;
}

/** Milliseconds of one request with its whole answer. */
async function timed(url: string): Promise<{ ms: number; bytes: number; status: number }> {
  const begunMs = systemClock.monotonic();
  const response = await fetch(url);
  const text = await response.text();
  return { ms: systemClock.monotonic() - begunMs, bytes: text.length, status: response.status };
}

const kilobytesOf = (server: Server, name: string): number =>
  Number(
    new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(
      readFileSync(`/proc/${server.child.pid}/status`, 'utf8'),
    )?.[1],
  );

const memory = (server: Server): string =>
  `${Math.round(kilobytesOf(server, 'VmRSS') / 1024)} MB, at most ${Math.round(kilobytesOf(server, 'VmHWM') / 1024)} MB`;

const median = (list: readonly number[]): number => [...list].sort((a, b) => a - b)[list.length >> 1] ?? 0;
const ms = (value: number): string => `${value.toFixed(1)} ms`.padStart(12);
const say = (text: string) => process.stdout.write(`${text}\n`);

/** Median and largest of several turns. */
async function report(name: string, work: () => Promise<number>): Promise<void> {
  const found: number[] = [];
  for (let round = 0; round < rounds; round++) found.push(await work());
  say(`${name.padEnd(52)} ${ms(median(found))} ${ms(Math.max(...found))}`);
}

async function main(): Promise<void> {
  const stateDir = values.folder ?? mkdtempSync(join(tmpdir(), 'history-'));
  mkdirSync(stateDir, { recursive: true });
  try {
    let begunMs = systemClock.monotonic();
    if (!existsSync(join(stateDir, 'runs'))) {
      makeRecords(stateDir, count);
      say(`${count} records written in ${((systemClock.monotonic() - begunMs) / 1000).toFixed(1)} s`);
    }
    begunMs = systemClock.monotonic();
    const first = await startServer(stateDir);
    say(`start without an index: ready after ${(first.readyMs / 1000).toFixed(1)} s`);
    const early = await timed(`${first.url}/api/runs`);
    say(`a list meanwhile, from the directories: ${early.ms.toFixed(0)} ms (${early.status})`);
    while ((await timed(`${first.url}/api/statistics/measurements`)).status !== 200)
      await systemClock.sleep(POLL_MS);
    say(`the index is complete after ${((systemClock.monotonic() - begunMs) / 1000).toFixed(1)} s`);
    say(`memory of svc-server after making it: ${memory(first)}`);
    await stop(first);
    await measure(stateDir);
  } finally {
    if (values.folder === undefined) rmSync(stateDir, { recursive: true });
  }
}

async function measure(stateDir: string): Promise<void> {
  const server = await startServer(stateDir);
  say(`\nstart with an index: ready after ${(server.readyMs / 1000).toFixed(1)} s`);
  const get = (path: string) => async () => {
    const { ms, status } = await timed(`${server.url}${path}`);
    if (status !== 200) throw new Error(`${path} answered ${status}`);
    return ms;
  };
  say(`first list: ${(await get('/api/runs')()).toFixed(1)} ms`);
  const keys = (await (await fetch(`${server.url}/api/statistics/measurements`)).json()) as {
    measurements: { key: string; count: number }[];
  };
  const [one] = keys.measurements;
  if (!one) throw new Error('there is no measurement');
  say(`\n${''.padEnd(52)} ${'median'.padStart(12)} ${'largest'.padStart(12)}`);
  await report('list of 50', get('/api/runs'));
  await report('filter by serial number', get('/api/runs?serial=SN-100777'));
  await report('filter by scenario and status', get('/api/runs?scenario=masks%2Fleak&status=failed'));
  await report('search for a part of a text', get('/api/runs?search=n-100777'));
  await report('search that finds nothing', get('/api/runs?search=nowhere'));
  const key = encodeURIComponent(one.key);
  await report(`one measurement, ${one.count} values`, get(`/api/statistics/measurement?key=${key}`));
  await report('all measurements', get('/api/statistics/measurements'));
  await report('yield, first failed checks, units', get('/api/statistics/scenarios'));
  say(`memory of svc-server: ${memory(server)}`);
  await stop(server);
  await peers(stateDir, one.key);
}

/** The same file without the server. */
async function peers(stateDir: string, key: string): Promise<void> {
  const path = join(stateDir, INDEX_FILE);
  say(`\nSQLite alone, ${Math.round(statSync(path).size / 1e6)} MB:`);
  const database = new Database(path);
  const query =
    (sql: string, ...given: string[]) =>
    async () => {
      const begunMs = systemClock.monotonic();
      database.all(sql, ...given);
      return systemClock.monotonic() - begunMs;
    };
  await report('50 newest ids', query('SELECT run_id FROM runs ORDER BY position DESC LIMIT 50'));
  await report(
    'search that finds nothing',
    query("SELECT run_id FROM runs WHERE instr(search, 'nowhere') LIMIT 50"),
  );
  await report(
    'count and time of one measurement',
    query(
      'SELECT count(*), avg(at_ms) FROM measurements WHERE key = (SELECT id FROM keys WHERE key = ?)',
      key,
    ),
  );
  database.close();
}

await main();
