import type { Measurement } from '../../../scenario/records/measurements.ts';
import type { Database } from './database.ts';
import { IndexError } from './index-error.ts';
import type { IndexedRun } from './indexed-run.ts';
import { blobOf } from './measurement-blob.ts';
import type { DistrustedRecord, RecordedRun } from './read-record.ts';

const COLUMNS = [
  'run_id',
  'position',
  'head',
  'evidence',
  'damaged',
  'seal',
  'ended',
  'started_ms',
  'status',
  'hardware',
  'mode',
  'scenario',
  'serial',
  'part',
  'batch',
  'operator',
  'version',
  'rig',
  'search',
] as const;

const UPSERT = `INSERT INTO runs (${COLUMNS.join(', ')}) VALUES (${COLUMNS.map(() => '?').join(', ')})
  ON CONFLICT (run_id) DO UPDATE SET ${COLUMNS.slice(1)
    .map((name) => `${name} = excluded.${name}`)
    .join(', ')}, retried = 0, failed_key = NULL, failed_text = NULL`;

const MOST_KEPT_IDS = 10_000;

/** Puts records into the index, within `inTransaction`. */
export class IndexWriter {
  readonly #database: Database;
  /** Of keys and of limits; their rows are never removed. */
  readonly #ids = new Map<string, number>();

  constructor(database: Database) {
    this.#database = database;
  }

  /** All of the work or none of it. @throws IndexError, what `work` throws */
  inTransaction(work: () => void): void {
    try {
      this.#database.transaction(work);
    } catch (thrown) {
      // Rows that it has made are gone.
      this.#ids.clear();
      throw thrown;
    }
  }

  /** What `run.json` says; what the events say is read later. @param head stamp of that file */
  putRun(run: IndexedRun, head: string): void {
    this.#dropMeasurements(run.runId);
    if (run.ended)
      this.#database.run('INSERT INTO ended_runs (run_id) VALUES (?) ON CONFLICT DO NOTHING', run.runId);
    this.#database.run(
      UPSERT,
      run.runId,
      run.position,
      head,
      null,
      run.distrust?.damaged ?? null,
      run.distrust?.seal ?? (run.ended ? null : 'open'),
      run.ended ? 1 : 0,
      run.startedMs,
      run.status,
      run.hardware,
      run.mode,
      run.scenario,
      run.serial,
      run.part,
      run.batch,
      run.operator,
      run.version,
      run.rig,
      run.search,
    );
  }

  /** A record whose `run.json` cannot be read stays in lists, with the reason. */
  putDamaged(runId: string, head: string, why: string): void {
    this.#dropMeasurements(runId);
    const known = this.#database.get<{ position: number }>(
      'SELECT position FROM runs WHERE run_id = ?',
      runId,
    );
    const before = this.#database.get<{ position: number }>(
      'SELECT position FROM runs WHERE run_id < ? AND damaged IS NULL ORDER BY run_id DESC LIMIT 1',
      runId,
    );
    // Behind the run before it by name: its own place in the order is in the file that cannot be read.
    const position = known?.position ?? (before?.position ?? 0) + 0.5;
    const nothing = [null, null, null, null, null, null, null, null, null, null] as const;
    this.#database.run(
      UPSERT,
      runId,
      position,
      head,
      null,
      why,
      'tampered',
      1,
      0,
      ...nothing,
      runId.toLowerCase(),
    );
  }

  /** What the events of a run say. @param evidence stamp of the files they were read from */
  putMeasurements(runId: string, evidence: string, recorded: RecordedRun): void {
    this.#dropMeasurements(runId);
    const row = this.#database.get<{ id: number; scenario: string }>(
      'SELECT id, scenario FROM runs WHERE run_id = ?',
      runId,
    );
    if (!row) return;
    const { id: run, scenario } = row;
    const { measurements, retried, firstFailed, failedText } = recorded;
    measurements.forEach((one, n) => {
      this.#database.run(
        'INSERT INTO measurements (key, run, n, value, limits, outcome, attempt, entry, at_ms) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)',
        this.#keyId(one, scenario),
        run,
        n,
        blobOf(typeof one.value === 'number' ? one.value : null),
        this.#limitsId(JSON.stringify([one.unit, one.low, one.high])),
        one.outcome,
        one.attempt,
        one.entry,
        Date.parse(one.at),
      );
    });
    this.#database.run(
      "UPDATE runs SET damaged = NULL, seal = 'sealed', evidence = ?, retried = ?, failed_key = ?, failed_text = ? WHERE id = ?",
      evidence,
      retried ? 1 : 0,
      firstFailed ? this.#keyId(firstFailed, scenario) : null,
      failedText,
      run,
    );
  }

  /** `run.json` can be read, and the rest is not what was written. */
  markDamaged(runId: string, evidence: string, { damaged, seal }: DistrustedRecord): void {
    this.#dropMeasurements(runId);
    this.#database.run(
      'UPDATE runs SET damaged = ?, seal = ?, evidence = ? WHERE run_id = ?',
      ...[damaged, seal, evidence, runId],
    );
  }

  /** Whether the run was ever seen with an ending. */
  hasEnded(runId: string): boolean {
    return this.#database.get('SELECT 1 FROM ended_runs WHERE run_id = ?', runId) !== undefined;
  }

  /** Keys by which the records were judged, as JSON; undefined: none were known. */
  judge(): string | undefined {
    return this.#database.get<{ keys: string }>('SELECT keys FROM judge')?.keys;
  }

  /** Other keys count from now on: every record that has ended is judged anew. @param keys JSON */
  judgeBy(keys: string): void {
    this.#database.run('DELETE FROM judge');
    this.#database.run('INSERT INTO judge (keys) VALUES (?)', keys);
    this.#database.run(
      'UPDATE runs SET damaged = NULL, seal = NULL, evidence = NULL WHERE ended = 1 AND evidence IS NOT NULL',
    );
  }

  removeRun(runId: string): void {
    this.#dropMeasurements(runId);
    this.#database.run('DELETE FROM runs WHERE run_id = ?', runId);
  }

  #dropMeasurements(runId: string): void {
    this.#database.run('DELETE FROM measurements WHERE run = (SELECT id FROM runs WHERE run_id = ?)', runId);
  }

  #keyId({ key, block, block_number, check, sensor }: Measurement, scenario: string): number {
    const known = this.#ids.get(`key ${key}`);
    if (known !== undefined) return known;
    const shownBlock = block_number === 1 ? block : `${block} (${block_number})`;
    this.#database.run(
      'INSERT INTO keys (key, scenario, block, check_name, sensor) VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING',
      ...[key, scenario, shownBlock, check, sensor],
    );
    return this.#keep(`key ${key}`, this.#database.get('SELECT id FROM keys WHERE key = ?', key));
  }

  #limitsId(spec: string): number {
    const known = this.#ids.get(`limits ${spec}`);
    if (known !== undefined) return known;
    this.#database.run('INSERT INTO limits (spec) VALUES (?) ON CONFLICT DO NOTHING', spec);
    return this.#keep(`limits ${spec}`, this.#database.get('SELECT id FROM limits WHERE spec = ?', spec));
  }

  #keep(name: string, row: { id: number } | undefined): number {
    if (!row) throw new IndexError('index_damaged', `it has no row for ${name}, which was just put in`);
    if (this.#ids.size >= MOST_KEPT_IDS) this.#ids.clear();
    this.#ids.set(name, row.id);
    return row.id;
  }
}
