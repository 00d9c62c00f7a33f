import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RunEvent } from '../../scenario/events/event.ts';
import { Interpreter } from '../../scenario/interpreter.ts';
import { anchorOf, EventChain } from '../../scenario/records/event-chain.ts';
import { endingOf } from '../../scenario/records/run-ending.ts';
import { FILES, type RunFile } from '../../scenario/records/run-file.ts';
import type { RunFacts } from '../../scenario/records/run-identity.ts';
import { RunStore } from '../../scenario/records/run-store.ts';
import type { Result } from '../../scenario/run/result.ts';

export const AT = Date.UTC(2025, 0, 15, 10);

/** A goal that fails a check, one that samples, one that is skipped; the last block is the teardown. */
export const SCENARIO = `SCENARIO: Sample
GOAL:
  SET NAME 'Fails'
  SET valve-1 open
  CHECK AI01 >= 2 V
GOAL:
  SET NAME 'Samples'
  SAMPLE AI01 START 100ms
  WAIT 500ms
  SAMPLE AI01 STOP
  GET AI01
  SAVE kept
CONFIG leave:
  SET valve-1 close
`;

export const factsOf = (more: Partial<RunFacts> = {}): RunFacts => ({
  scenario: { id: 'sample', file: 'sample.oql', sha256: 'ab', includes: [] },
  mode: 'dry-run',
  hardware_mode: 'mock',
  simulation_allowed: false,
  variables: {},
  operator: null,
  unit_under_test: null,
  requested_by: { address: '127.0.0.1', request_id: 'x' },
  software: { name: 'svc-rig', version: '1.2.3' },
  configuration: { file: null, effective_sha256: 'cd' },
  calibrations: [],
  firmware_url: 'http://127.0.0.1:8202',
  ...more,
});

export function dryRun(onEvent: (event: RunEvent) => void = () => {}): Promise<Result> {
  return new Interpreter({ onEvent, sensors: { AI01: 0.5 } }).run(SCENARIO, 'sample.oql');
}

/** A folder for records that is gone with the test. */
export class RecordPlace {
  readonly stateDir: string;

  /** @param stateDir default: a new one */
  constructor(stateDir = mkdtempSync(join(tmpdir(), 'records-'))) {
    this.stateDir = stateDir;
  }

  store(): RunStore {
    const store = new RunStore(this.stateDir);
    store.open();
    return store;
  }

  path(runId: string, file: keyof typeof FILES): string {
    return join(this.stateDir, 'runs', runId, FILES[file]);
  }

  lines(runId: string): string[] {
    return readFileSync(this.path(runId, 'events'), 'utf8').trimEnd().split('\n');
  }

  /** Puts other lines in the place of the events. */
  setLines(runId: string, lines: readonly string[]): void {
    writeFileSync(this.path(runId, 'events'), `${lines.join('\n')}\n`);
  }

  /** Makes a run one of a version without seals: it names no key, and its events follow each other. */
  makeOld(runId: string): void {
    const path = this.path(runId, 'run');
    const file = JSON.parse(readFileSync(path, 'utf8')) as RunFile;
    const { key: _key, station: _station, clock: _clock, ...identity } = file.identity;
    const chain = new EventChain(anchorOf(identity));
    const lines = this.lines(runId).map((line) => {
      const { prev: _prev, ...event } = JSON.parse(line) as RunEvent & { prev: string };
      return chain.lineOf(event as RunEvent);
    });
    this.setLines(runId, lines);
    const events = file.events && { ...file.events, last_sha256: chain.last };
    writeFileSync(path, JSON.stringify({ ...file, identity, events }));
    rmSync(this.path(runId, 'seal'), { force: true });
  }

  /** Changes whether a time server had set the clock of the machine; the seal is not made anew. */
  setSynchronised(runId: string, synchronised: boolean | null): void {
    const path = this.path(runId, 'run');
    const file = JSON.parse(readFileSync(path, 'utf8')) as RunFile;
    const identity = { ...file.identity, clock: { synchronised } };
    writeFileSync(path, JSON.stringify({ ...file, identity }));
  }

  /** A whole run. */
  async run(store: RunStore, nowMs = AT, facts: Partial<RunFacts> = {}): Promise<RunFile> {
    const writer = store.create(factsOf(facts), Buffer.from(SCENARIO), nowMs);
    const result = await dryRun((event) => writer.append(event));
    const { file, fault } = writer.end(endingOf(result, new Date(nowMs).toISOString()), result);
    if (fault) throw fault;
    store.ended(file);
    return file;
  }

  /** A run whose process died after some of its events. */
  async cutRun(store: RunStore, keep: (event: RunEvent) => boolean): Promise<RunFile> {
    const writer = store.create(factsOf(), Buffer.from(SCENARIO), AT);
    let isCut = false;
    await dryRun((event) => {
      isCut ||= !keep(event);
      if (!isCut) writer.append(event);
    });
    const file = store.get(writer.identity.run_id);
    if (!file) throw new Error('not in the index');
    return file;
  }

  close(): void {
    rmSync(this.stateDir, { recursive: true, force: true });
  }
}

export async function atPlace(work: (place: RecordPlace) => Promise<void> | void): Promise<void> {
  const place = new RecordPlace();
  try {
    await work(place);
  } finally {
    place.close();
  }
}

/** What has to be there. */
export function there<T>(value: T | null | undefined): T {
  if (value === null || value === undefined) throw new Error('it is not there');
  return value;
}
