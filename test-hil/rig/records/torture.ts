import { spawn } from 'node:child_process';
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { type Random, seededRandom } from '../../../src/lib/random/seeded-random.ts';
import { type RunFile, readRunFile } from '../../../src/scenario/records/run-file.ts';
import { faultText, verifyRecord } from '../../../src/scenario/records/verify-record.ts';
import { endWithThisProcess } from '../../../src/test-kit/end-with-parent.ts';
import { end, launchReady, type Program, root } from '../bench/program.ts';
import { ask, type Json } from '../server/server-rig.ts';

const SCENARIOS = {
  passes: "SCENARIO: Passes\nGOAL:\n  SET NAME 'A'\n  SET valve-1 open\n  CHECK AI01 >= 0 V\n",
  fails:
    "SCENARIO: Fails\nGOAL:\n  SET NAME 'A'\n  CHECK AI01 >= 0 V\nGOAL:\n  SET NAME 'B'\n  CHECK AI01 <= 1 V\n  CHECK AI01 >= 2 V\n",
  done: "SCENARIO: Done\nGOAL:\n  SET NAME 'A'\n  SET valve-1 open\n  SET valve-1 close\n",
};
const NAMES = Object.keys(SCENARIOS) as (keyof typeof SCENARIOS)[];
/** Calls that change a record between two kills; a run has about 40. */
const MOST_CALLS = 2000;

export interface TortureOptions {
  /** Runs that were reported as ended. */
  readonly runs: number;
  readonly seed: number;
  readonly progress?: (line: string) => void;
}

export interface TortureReport {
  readonly reported: number;
  readonly kills: number;
  /** Kills after which bytes that were not synced were taken away or replaced. */
  readonly tornFiles: number;
  readonly records: number;
  /** Sentences; empty when every promise was kept. */
  readonly broken: readonly string[];
}

/** What a client was told of a run. */
interface Reported {
  readonly status: unknown;
  readonly ok: unknown;
}

type Server = Program & { url: string };

/**
 * Runs on svc-server and svcctl in one state folder, each killed with SIGKILL in the middle of a write, again and again;
 * after some kills what was not synced is torn, as by a power cut. Then all records are compared with what was reported.
 */
export async function tortureRecords({ runs, seed, progress }: TortureOptions): Promise<TortureReport> {
  const place = new Place();
  const random = seededRandom(seed);
  const reported = new Map<string, Reported>();
  const broken: string[] = [];
  let [kills, tornFiles] = [0, 0];
  try {
    while (reported.size < runs) {
      if (random() < 0.2) await place.runSvcctl(random, reported, broken);
      else await place.runServer(random, reported, broken, runs);
      kills++;
      tornFiles += place.tear(random);
      if (kills % 10 === 0) progress?.(`${reported.size} runs, ${kills} kills`);
    }
    broken.push(...(await place.check(reported)));
    return { reported: reported.size, kills, tornFiles, records: place.ids().length, broken };
  } finally {
    place.close();
  }
}

class Place {
  readonly #folder = mkdtempSync(join(tmpdir(), 'svc-torture-'));
  readonly #state = join(this.#folder, 'state');
  readonly #unsynced = join(this.#folder, 'unsynced.json');

  constructor() {
    mkdirSync(join(this.#folder, 'scenarios'));
    for (const [name, text] of Object.entries(SCENARIOS))
      writeFileSync(join(this.#folder, 'scenarios', `${name}.oql`), text);
  }

  #environment(killAt: number | undefined): Record<string, string> {
    const kill =
      killAt === undefined ? {} : { TORTURE_KILL_AT: String(killAt), TORTURE_STATE: this.#unsynced };
    const ours = join(root, 'test-hil/rig/records/kill-at-write.cjs');
    const { NODE_OPTIONS: others = '' } = endWithThisProcess() as { NODE_OPTIONS?: string };
    return {
      ...kill,
      ...(killAt === undefined ? {} : { NODE_OPTIONS: `${others} --require ${ours}`.trim() }),
      SVC_STATE_DIR: this.#state,
      SVC_SCENARIO_DIR: join(this.#folder, 'scenarios'),
      SVC_HARDWARE_MODE: 'mock',
      SVC_FIRMWARE_URL: 'http://127.0.0.1:9',
      SVC_CONFIG_PATH: this.#config(),
    };
  }

  #config(): string {
    const path = join(this.#folder, 'svc.yaml');
    if (!existsSync(path)) writeFileSync(path, 'schema_version: 1\n');
    return path;
  }

  /** Until it is killed, or as many runs as are wanted were reported. */
  async runServer(
    random: Random,
    reported: Map<string, Reported>,
    broken: string[],
    runs: number,
  ): Promise<void> {
    const killAt = 1 + Math.floor(random() * MOST_CALLS);
    let server: Server;
    try {
      server = await launchReady('svc-server', ['--port', '0'], this.#environment(killAt));
    } catch (thrown) {
      // Killed while it ended the runs of its predecessor.
      if (existsSync(this.#unsynced)) return;
      throw thrown;
    }
    try {
      while (reported.size < runs) {
        const name = NAMES[Math.floor(random() * NAMES.length)];
        const answer = await ask(server, `POST /api/scenarios/${name}/run?wait=60`, {}).catch(
          () => undefined,
        );
        if (!answer) break;
        if (answer.status !== 200)
          broken.push(`a run was answered ${answer.status}: ${JSON.stringify(answer.body)}`);
        else this.#take(answer.body, reported, broken);
        if (broken.length > 20) break;
      }
    } finally {
      await end(server, 'SIGKILL');
    }
  }

  /** One run of svcctl on the same records, while no server is on them. */
  async runSvcctl(random: Random, reported: Map<string, Reported>, broken: string[]): Promise<void> {
    const killAt = 1 + Math.floor(random() * 60);
    const args = [join(root, 'dist/svcctl.cjs'), 'run', join(this.#folder, 'scenarios/fails.oql')];
    const child = spawn(process.execPath, [...args, '--record', this.#state, '--json'], {
      cwd: this.#folder,
      env: { PATH: process.env.PATH ?? '', ...this.#environment(killAt) },
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    let text = '';
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
    });
    await new Promise((resolve) => child.once('close', resolve));
    if (text === '') return;
    const { runId, outcome, ok } = JSON.parse(text) as Json;
    this.#take({ run_id: runId, status: outcome, ok }, reported, broken);
  }

  #take(run: Json, reported: Map<string, Reported>, broken: string[]): void {
    const id = String(run.run_id);
    if (reported.has(id)) broken.push(`${id} was reported twice`);
    reported.set(id, { status: run.status, ok: run.ok });
  }

  /** A power cut: what was not synced is lost from some point on, or is other bytes. @returns files that were torn */
  tear(random: Random): number {
    if (!existsSync(this.#unsynced)) return 0;
    const files = JSON.parse(readFileSync(this.#unsynced, 'utf8')) as { path: string; bytes: number }[];
    rmSync(this.#unsynced);
    let torn = 0;
    for (const { path, bytes } of files) {
      const size = statSync(path, { throwIfNoEntry: false })?.size;
      // Only the file of events is written in place; others are replaced as a whole when they are on the disk.
      if (size === undefined || size <= bytes || !path.endsWith('events.ndjson')) continue;
      truncateSync(path, bytes + Math.floor(random() * (size - bytes)));
      if (random() < 0.5) appendFileSync(path, Buffer.alloc(1 + Math.floor(random() * 4096)));
      torn++;
    }
    return torn;
  }

  ids(): string[] {
    return readdirSync(join(this.#state, 'runs'))
      .filter((name) => name.startsWith('r-'))
      .sort();
  }

  /** After the next start. @returns what is not as it was promised */
  async check(reported: ReadonlyMap<string, Reported>): Promise<string[]> {
    const server = await launchReady('svc-server', ['--port', '0'], this.#environment(undefined));
    const broken: string[] = [];
    try {
      const listed = await listedRuns(server);
      const serials = new Map<number, string>();
      const ids = this.ids();
      for (const id of ids) {
        const directory = join(this.#state, 'runs', id);
        const file = readRunFile(directory);
        const { faults, status } = await verifyRecord(directory);
        if (status !== 'sealed') broken.push(`${id} is ${status}: ${faults.map(faultText).join('; ')}`);
        const twin = serials.get(file.identity.serial);
        if (twin !== undefined) broken.push(`${id} and ${twin} have the number ${file.identity.serial}`);
        serials.set(file.identity.serial, id);
        broken.push(...differences(file, listed.get(id)));
      }
      for (const id of listed.keys()) if (!ids.includes(id)) broken.push(`${id} is listed and not there`);
      for (const [id, { status, ok }] of reported) {
        const run = listed.get(id);
        if (!run) broken.push(`${id} was reported as ${status} and is lost`);
        else if (run.status !== status || run.ok !== ok)
          broken.push(`${id} was reported as ${status} and is ${run.status}`);
      }
      const left = readdirSync(join(this.#state, 'runs')).filter((name) => !name.startsWith('r-'));
      if (left.length > 0) broken.push(`left behind: ${left.join(', ')}`);
    } finally {
      await end(server);
    }
    return broken;
  }

  close(): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

/** What the index and the record say differently. */
function differences({ identity, ending }: RunFile, run: Json | undefined): string[] {
  const id = identity.run_id;
  if (!ending) return [`${id} has no ending`];
  if (!run) return [`${id} is there and not listed`];
  return run.status === ending.status && run.ok === ending.ok
    ? []
    : [`${id} is listed as ${run.status} and is ${ending.status}`];
}

/** All runs that the server lists, by their ids. */
async function listedRuns(server: Server): Promise<Map<string, Json>> {
  const listed = new Map<string, Json>();
  let before = '';
  for (;;) {
    const { body } = await ask(server, `GET /api/runs?limit=500${before}`);
    const { runs, damaged, next, source } = body as {
      runs: Json[];
      damaged: Json[];
      next: string | null;
      source: string;
    };
    if (source !== 'index') {
      await new Promise((resolve) => setTimeout(resolve, 200));
      continue;
    }
    for (const run of [...runs, ...damaged]) {
      if (listed.has(String(run.run_id))) throw new Error(`${run.run_id} is listed twice`);
      listed.set(String(run.run_id), run);
    }
    if (next === null) return listed;
    before = `&before=${next}`;
  }
}
