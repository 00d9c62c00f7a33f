import { spawn } from 'node:child_process';
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import process from 'node:process';
import { systemClock } from '../../../src/lib/clock/clock.ts';
import { type Random, seededRandom } from '../../../src/lib/random/seeded-random.ts';
import { type RunFile, readRunFile } from '../../../src/scenario/records/run-file.ts';
import { faultText, verifyRecord } from '../../../src/scenario/records/verify-record.ts';
import { INDEX_FILE } from '../../../src/services/server/run-index/open-index.ts';
import { endWithThisProcess } from '../../../src/test-kit/end-with-parent.ts';
import { end, launchReady, type Program, root } from '../bench/program.ts';
import { GuardedRig } from '../guard/guarded-rig.ts';
import { ask, type Json } from '../server/server-rig.ts';

const SCENARIOS = {
  passes: "SCENARIO: Passes\nGOAL:\n  SET NAME 'A'\n  SET valve-1 open\n  CHECK AI01 >= 0 V\n",
  fails:
    "SCENARIO: Fails\nGOAL:\n  SET NAME 'A'\n  CHECK AI01 >= 0 V\nGOAL:\n  SET NAME 'B'\n  CHECK AI01 <= 1 V\n  CHECK AI01 >= 2 V\n",
  holds:
    "SCENARIO: Holds\nGOAL:\n  SET NAME 'A'\n  SET valve-1 open\n  WAIT 500ms\n  CHECK AI01 >= 0 V\nCONFIG leave:\n  SET valve-1 close\n",
  done: "SCENARIO: Done\nGOAL:\n  SET NAME 'A'\n  SET valve-1 open\n  SET valve-1 close\n",
};
const NAMES = Object.keys(SCENARIOS) as (keyof typeof SCENARIOS)[];
/** Calls that change a record between two kills; a run has about 40. Some kills fall early: at recovery and at the key. */
const MOST_CALLS = 2000;
const EARLY_CALLS = 60;
/** Of a server that is killed at a time: its index thread writes without calls that can be counted. */
const MOST_MS = 4000;

/** What is killed in a round, and how often of 100. */
const ROUNDS = {
  'server at a write': 54,
  'server at a time': 12,
  'svcctl run': 18,
  'svcctl runs': 10,
  'index file': 3,
  'bridge, guard or server in an execute run': 3,
} as const;
type Round = keyof typeof ROUNDS;
const ALL_ROUNDS = Object.keys(ROUNDS) as Round[];

const BAG = ALL_ROUNDS.flatMap((round) => Array<Round>(ROUNDS[round]).fill(round));

const drawnRound = (random: Random): Round => BAG[Math.floor(random() * BAG.length)] ?? 'server at a write';

export interface StressOptions {
  /** Runs that were reported as ended. */
  readonly runs: number;
  readonly seed: number;
  /** Keeps records and progress, so that later calls go on where this one ended; default a temporary folder. */
  readonly folder?: string;
  /** Runs after which this call ends, though more are wanted; default all. */
  readonly piece?: number;
  readonly progress?: (line: string) => void;
}

export interface StressReport {
  readonly reported: number;
  readonly kills: number;
  /** Of these, by what was killed. */
  readonly rounds: Readonly<Record<Round, number>>;
  /** Files of which bytes that were not synced were taken away or replaced, and renames that were undone, by name. */
  readonly torn: Readonly<Record<string, number>>;
  readonly records: number;
  /** As many runs as are wanted were reported, and all records were compared with what was reported. */
  readonly isChecked: boolean;
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
export async function stressRecords(options: StressOptions): Promise<StressReport> {
  const { runs, seed, folder, piece = runs, progress } = options;
  const place = new Place(folder);
  const so = place.progress(seed);
  const { reported, broken, rounds, torn } = so;
  const until = Math.min(runs, reported.size + piece);
  const work: Readonly<Record<Round, (random: Random) => Promise<void>>> = {
    'server at a write': (random) => place.runServer(random, reported, broken, until, 'write'),
    'server at a time': (random) => place.runServer(random, reported, broken, until, 'time'),
    'svcctl run': (random) => place.runSvcctl(random, reported, broken),
    'svcctl runs': (random) => place.listWithSvcctl(random),
    'index file': async (random) => place.harmIndex(random),
    'bridge, guard or server in an execute run': (random) => place.runInTheField(random, reported, broken),
  };
  try {
    // Each of them at least once, however few runs are asked for.
    while (reported.size < until || (until === runs && so.kills < ALL_ROUNDS.length)) {
      // A round is the same whether those before it belong to this call or to an earlier one.
      const random = seededRandom(seed * ROUNDS_OF_A_SEED + so.kills);
      const round = ALL_ROUNDS[so.kills] ?? drawnRound(random);
      await work[round](random);
      rounds[round]++;
      so.kills++;
      for (const name of place.tear(random)) torn[name] = (torn[name] ?? 0) + 1;
      place.keep(so);
      if (so.kills % 10 === 0) progress?.(`${reported.size} runs, ${so.kills} kills`);
      if (broken.length > 20) break;
    }
    const isChecked = reported.size >= runs || broken.length > 20;
    const found = isChecked ? await place.check(reported) : [];
    const records = place.ids().length;
    return {
      ...{ reported: reported.size, kills: so.kills, rounds, torn, records, isChecked },
      broken: [...broken, ...found],
    };
  } finally {
    await place.close();
  }
}

/** More than any seed needs. */
const ROUNDS_OF_A_SEED = 1_000_003;

/** How far the calls on a folder have come. */
interface Progress {
  readonly seed: number;
  kills: number;
  readonly reported: Map<string, Reported>;
  readonly rounds: Record<Round, number>;
  readonly torn: Record<string, number>;
  readonly broken: string[];
}

class Place {
  readonly #folder: string;
  readonly #isKept: boolean;
  readonly #state: string;
  readonly #unsynced: string;
  readonly #progress: string;
  #field: GuardedRig | undefined;

  /** @param kept a folder that stays */
  constructor(kept: string | undefined) {
    this.#isKept = kept !== undefined;
    this.#folder = kept === undefined ? mkdtempSync(join(tmpdir(), 'svc-stress-')) : resolve(kept);
    this.#state = join(this.#folder, 'state');
    this.#unsynced = join(this.#folder, 'unsynced.json');
    this.#progress = join(this.#folder, 'progress.json');
    mkdirSync(join(this.#folder, 'scenarios'), { recursive: true });
    for (const [name, text] of Object.entries(SCENARIOS))
      writeFileSync(join(this.#folder, 'scenarios', `${name}.oql`), text);
  }

  /** @throws Error: the folder belongs to another seed */
  progress(seed: number): Progress {
    if (!existsSync(this.#progress)) {
      const rounds = Object.fromEntries(ALL_ROUNDS.map((round) => [round, 0])) as Record<Round, number>;
      return { seed, kills: 0, reported: new Map(), rounds, torn: {}, broken: [] };
    }
    const kept = JSON.parse(readFileSync(this.#progress, 'utf8')) as Omit<Progress, 'reported'> & {
      reported: [string, Reported][];
    };
    if (kept.seed !== seed)
      throw new Error(`${this.#folder} was begun with --seed ${kept.seed}: give that one, or another folder`);
    return { ...kept, reported: new Map(kept.reported) };
  }

  /** What a call that is killed had reported since then is in the records, and claimed by nobody. */
  keep(progress: Progress): void {
    if (!this.#isKept) return;
    writeFileSync(`${this.#progress}.new`, JSON.stringify({ ...progress, reported: [...progress.reported] }));
    renameSync(`${this.#progress}.new`, this.#progress);
  }

  #environment(killAt: number | undefined): Record<string, string> {
    const kill = killAt === undefined ? {} : { STRESS_KILL_AT: String(killAt), STRESS_STATE: this.#unsynced };
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
    how: 'write' | 'time',
  ): Promise<void> {
    const most = random() < 0.3 ? EARLY_CALLS : MOST_CALLS;
    const killAt = how === 'write' ? 1 + Math.floor(random() * most) : undefined;
    let server: Server;
    try {
      server = await launchReady('svc-server', ['--port', '0'], this.#environment(killAt));
    } catch (thrown) {
      // Killed while it ended the runs of its predecessor.
      if (existsSync(this.#unsynced)) return;
      throw thrown;
    }
    const cancel =
      how === 'time' ? systemClock.after(random() * MOST_MS, () => server.child.kill('SIGKILL')) : () => {};
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
      cancel();
      await end(server, 'SIGKILL');
    }
  }

  /** `svcctl runs`, which writes the index, killed at some time of its work. */
  async listWithSvcctl(random: Random): Promise<void> {
    const args = [join(root, 'dist/svcctl.cjs'), 'runs', ...(random() < 0.5 ? ['--rebuild'] : [])];
    const env = { PATH: process.env.PATH ?? '', ...this.#environment(undefined) };
    const child = spawn(process.execPath, args, { env, stdio: 'ignore' });
    const cancel = systemClock.after(100 + random() * 1000, () => child.kill('SIGKILL'));
    await new Promise((resolve) => child.once('close', resolve));
    cancel();
  }

  /** The state of the machine: an index that is gone or cut. */
  harmIndex(random: Random): void {
    const path = join(this.#state, INDEX_FILE);
    const size = statSync(path, { throwIfNoEntry: false })?.size;
    if (size === undefined) return;
    if (random() < 0.5) rmSync(path);
    else truncateSync(path, Math.floor(random() * size));
  }

  /** A run with bridge, guard and twins, of which one, or the server, is killed in the middle. */
  async runInTheField(random: Random, reported: Map<string, Reported>, broken: string[]): Promise<void> {
    this.#field ??= await GuardedRig.open();
    const bridge = await this.#field.settledBridge();
    const guard = await this.#field.guardOf(bridge);
    const server = await launchReady('svc-server', ['--port', '0'], {
      ...this.#environment(undefined),
      SVC_HARDWARE_MODE: 'real',
      SVC_CONFIG_PATH: this.#field.env.SVC_CONFIG_PATH ?? '',
      SVC_FIRMWARE_URL: bridge.url,
    });
    const victims = [bridge, guard, server];
    const victim = victims[Math.floor(random() * victims.length)];
    const cancel = systemClock.after(random() * 2500, () => victim?.child.kill('SIGKILL'));
    try {
      for (let n = 0; n < 3; n++) {
        const answer = await ask(server, 'POST /api/scenarios/holds/run?wait=60', {}).catch(() => undefined);
        // Without the bridge or the guard a run is refused.
        if (answer?.status === 200) this.#take(answer.body, reported, broken);
      }
    } finally {
      cancel();
      for (const program of [server, guard, bridge]) await end(program, 'SIGKILL');
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

  /**
   * A power cut: of what was not synced the end is lost from some point on or is other bytes, and names lead to what they led
   * to before. @returns names of the files
   */
  tear(random: Random): string[] {
    if (!existsSync(this.#unsynced)) return [];
    const state = JSON.parse(readFileSync(this.#unsynced, 'utf8')) as Unsynced;
    rmSync(this.#unsynced);
    const torn: string[] = [];
    const undone = state.renames.slice(Math.floor(random() * (state.renames.length + 1)));
    for (const rename of undone.reverse()) if (undo(rename)) torn.push(`${nameOf(rename.to)} (name)`);
    for (const { path, bytes } of state.unsynced) {
      const size = statSync(path, { throwIfNoEntry: false })?.size;
      if (size === undefined || size <= bytes) continue;
      truncateSync(path, bytes + Math.floor(random() * (size - bytes)));
      if (random() < 0.5) appendFileSync(path, Buffer.alloc(1 + Math.floor(random() * 4096)));
      torn.push(nameOf(path));
    }
    return torn;
  }

  ids(): string[] {
    if (!existsSync(join(this.#state, 'runs'))) return [];
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

  async close(): Promise<void> {
    await this.#field?.close();
    if (!this.#isKept) rmSync(this.#folder, { recursive: true, force: true });
  }
}

interface Rename {
  readonly from: string;
  readonly to: string;
  /** What the name had before, base64; null: nothing. */
  readonly old: string | null;
}

/** What `kill-at-write.cjs` says of the moment of the kill. */
interface Unsynced {
  readonly unsynced: readonly { readonly path: string; readonly bytes: number }[];
  readonly renames: readonly Rename[];
}

/** @returns whether the new name was there */
function undo({ from, to, old }: Rename): boolean {
  if (!existsSync(to)) return false;
  renameSync(to, from);
  if (old !== null) writeFileSync(to, Buffer.from(old, 'base64'));
  return true;
}

/** `.run.json.4711.tmp` -> `run.json (new)`; a folder of a record is `record`. */
function nameOf(path: string): string {
  const name = basename(path);
  if (/^r-\d/.test(name)) return 'record';
  return name.replace(/^\.(.*)\.\d+\.tmp$/, '$1 (new)').replace(/\.\d+\.tmp$/, ' (new)');
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
