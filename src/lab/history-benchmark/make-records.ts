import { createHash } from 'node:crypto';
import { linkSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RunEvent } from '../../scenario/events/event.ts';
import { anchorOf, EventChain } from '../../scenario/records/event-chain.ts';
import { type RigKey, rigKeyOf } from '../../scenario/records/rig-key.ts';
import { runFileText } from '../../scenario/records/run-directory.ts';
import { FILES, type RunFile } from '../../scenario/records/run-file.ts';
import type { RunIdentity, StationFacts } from '../../scenario/records/run-identity.ts';
import { sealedFile, sealText } from '../../scenario/records/seal.ts';
import { stationFacts } from '../../scenario/records/station.ts';

const START = Date.UTC(2024, 0, 1);
const RUN_EVERY_MS = 300_000;
const CHECKS = 8;
/** Of one file; ext4 takes 65,000. */
const MOST_LINKS = 50_000;
const SCENARIO = 'GOAL:\n';
const RESULT = '{}\n';
const SCENARIOS = ['masks/leak', 'masks/valve', 'lung/cycle', 'warning-whistle'];
const hash = (text: string) => createHash('sha256').update(text).digest('hex');

/** A number from 0 to 1 that depends on its seeds only. */
const chance = (...seeds: number[]) => Number.parseInt(hash(seeds.join()).slice(0, 8), 16) / 2 ** 32;

/**
 * Writes records of runs as svc-server does, eight checks each; files that are the same in all of them are links to one.
 * @returns the last serial number
 */
export function makeRecords(stateDir: string, count: number): string {
  const root = join(stateDir, 'runs');
  mkdirSync(root, { recursive: true });
  const key = rigKeyOf(stateDir);
  const shared = {
    key,
    station: stationFacts(key),
    scenario: '',
    result: '',
  };
  let day = '';
  let number = 0;
  let serial = '';
  for (let n = 0; n < count; n++) {
    if (n % MOST_LINKS === 0) {
      shared.scenario = join(stateDir, `scenario-${n}`);
      shared.result = join(stateDir, `result-${n}`);
      writeFileSync(shared.scenario, SCENARIO);
      writeFileSync(shared.result, RESULT);
    }
    const at = START + n * RUN_EVERY_MS;
    const date = new Date(at).toISOString().slice(0, 10).replaceAll('-', '');
    number = date === day ? number + 1 : 1;
    day = date;
    serial = `SN-${100_000 + Math.floor(n * 0.9)}`;
    writeRecord(root, shared, { id: `r-${date}-${String(number).padStart(4, '0')}`, n, at, serial });
  }
  return serial;
}

/** What all records have in common. */
interface Shared {
  key: RigKey;
  station: StationFacts;
  scenario: string;
  result: string;
}

interface Planned {
  id: string;
  n: number;
  at: number;
  serial: string;
}

function writeRecord(root: string, shared: Shared, planned: Planned): void {
  const directory = join(root, planned.id);
  mkdirSync(directory);
  const identity = identityOf(planned, shared.station);
  const chain = new EventChain(anchorOf(identity));
  const events = eventsOf(planned);
  const failed = events.some((event) => event.type === 'check' && event.outcome === 'failed');
  const lines = events.map((event) => `${chain.lineOf(event)}\n`).join('');
  writeFileSync(join(directory, FILES.events), lines);
  const file: RunFile = {
    schema_version: 1,
    identity,
    ending: {
      status: failed ? 'failed' : 'passed',
      ok: !failed,
      passed: failed ? 0 : 1,
      total: 1,
      started_at: identity.created_at,
      ended_at: new Date(planned.at + 60_000).toISOString(),
      simulated: false,
      bench: false,
      errors: failed ? [{ code: 'failed', message: 'Leak: a limit was violated' }] : [],
      variables: {},
      safe_state: { outcome: 'safe', reason: 'end of the run', steps: [] },
    },
    events: { count: chain.count, last_sha256: chain.last, complete: true },
  };
  const text = runFileText(file);
  writeFileSync(join(directory, FILES.run), text);
  linkSync(shared.scenario, join(directory, FILES.scenario));
  linkSync(shared.result, join(directory, FILES.result));
  const files = {
    [FILES.events]: sealedFile(lines),
    [FILES.result]: sealedFile(RESULT),
    [FILES.run]: sealedFile(text),
    [FILES.scenario]: sealedFile(SCENARIO),
  };
  const seal = {
    schema_version: 1,
    run_id: identity.run_id,
    identity_sha256: anchorOf(identity),
    events: { count: chain.count, last_sha256: chain.last },
    files,
    sealed_at: identity.created_at,
    key: shared.key.public,
  } as const;
  writeFileSync(join(directory, FILES.seal), sealText(seal, shared.key));
}

const identityOf = ({ id, n, at, serial }: Planned, station: StationFacts): RunIdentity => ({
  ...station,
  run_id: id,
  serial: n + 1,
  created_at: new Date(at).toISOString(),
  scenario: {
    id: SCENARIOS[n % SCENARIOS.length] ?? '',
    file: '/scenarios/leak.oql',
    sha256: hash('leak'),
    includes: [],
  },
  mode: 'execute',
  hardware_mode: 'real',
  simulation_allowed: false,
  variables: {},
  operator: ['Anna', 'Piotr', 'Żaneta'][n % 3] ?? null,
  unit_under_test: serial,
  part: `P-${n % 7}`,
  batch: `B-${Math.floor(n / 500)}`,
  requested_by: { address: '127.0.0.1', request_id: 'x' },
  software: { name: 'svc-rig', version: '1.0.0' },
  configuration: { file: { file: '/etc/svc/svc.yaml', sha256: hash('yaml') }, effective_sha256: hash('all') },
  calibrations: [],
  firmware_url: 'http://127.0.0.1:8202',
});

function eventsOf({ n, at }: Planned): RunEvent[] {
  const bodies: unknown[] = [
    {
      type: 'run.start',
      scenario: 'Leak',
      file: 'leak.oql',
      version: 3,
      dialect: 'flat',
      mode: 'execute',
      plan: [{ index: 0, kind: 'GOAL', name: 'Leak', teardown: false }],
    },
    { type: 'block.start', kind: 'GOAL', name: 'Leak', teardown: false, attempt: 1 },
  ];
  for (let check = 0; check < CHECKS; check++) {
    const actual = 2 + check + (chance(n, check, 1) + chance(n, check, 2) + chance(n, check, 3) - 1.5) * 0.3;
    const [low, high] = [1.6 + check, 2.4 + check];
    const outcome = actual >= low && actual <= high ? 'passed' : 'failed';
    bodies.push({
      ...{ type: 'check', kind: 'CHECK', sensor: `AI0${check + 1}`, op: 'range', low, high, actual },
      ...{ unit: 'V', outcome, message: `AI0${check + 1} ${actual} V` },
    });
  }
  bodies.push({
    type: 'run.end',
    outcome: 'passed',
    ok: true,
    judged: true,
    passed: 1,
    total: 1,
    durationMs: 60_000,
  });
  return bodies.map((body, seq) => {
    const common = { seq, t: seq * 1000, time: new Date(at + seq * 1000).toISOString(), goal: 0 };
    return { ...common, pos: null, simulated: false, ...(body as object) } as RunEvent;
  });
}
