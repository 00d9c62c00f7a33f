import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { systemClock } from '../../../src/lib/clock/clock.ts';
import { firstFailedOf, measurementsOf } from '../../../src/scenario/records/measurements.ts';
import { suite } from '../../../src/test-kit/suite.ts';
import { type Json, onServerRig, type ServerRig } from './server-rig.ts';

const test = suite('the record of a run');

const RETRIED = `SCENARIO: Retried
GOAL:
  SET NAME 'Ask'
  PROMPT 'Is the mask on?'
  CHECK AI01 >= 0 V
GOAL:
  SET NAME 'Leak'
  CHECK AI01 >= LOW
  FAIL 'below' RETRY 1
`;

const WHO = {
  unit_under_test: 'SN-17',
  part: 'P-2',
  revision: 'C',
  batch: 'B7',
  operator: 'Anna',
  started_by: 'schedule',
};

async function answered(rig: ServerRig, id: string): Promise<Json> {
  while ((await rig.run(id)).prompt === null) await systemClock.sleep(20);
  await rig.ask(`POST /api/runs/${id}/prompts/1`, { answer: 'yes' });
  return rig.untilEnded(id);
}

test('REC-001 a run with a retry, a prompt and a unit under test leaves all of it in the record and the API', () =>
  onServerRig({ retried: RETRIED }, async (rig) => {
    const id = await rig.begin('retried', { ...WHO, variables: { LOW: '3.2 V' } });
    const run = await answered(rig, id);
    const record = JSON.parse(readFileSync(join(rig.runsFolder, id, 'run.json'), 'utf8')) as Json;
    const [identity, ending] = [record.identity as Json, record.ending as Json];
    for (const [name, value] of Object.entries(WHO)) {
      assert.is(identity[name], value, name);
      assert.is(run[name], value, name);
    }
    const station = identity.station as Json;
    assert.is(station.host, hostname());
    assert.match(String(station.rig_id), /^rig-[0-9a-f]{12}$/);
    assert.equal(run.station, station);
    assert.ok(['boolean', 'object'].includes(typeof (identity.clock as Json).synchronised));
    const devices = ending.devices as Json;
    assert.ok(Object.keys(devices).length > 0);
    assert.equal([...new Set(Object.values(devices))], ['bench'], JSON.stringify(devices));
    const retries = ending.retries as { block: string; attempts: Json[] }[];
    assert.equal(
      retries.map(({ block }) => block),
      ['Leak'],
    );
    assert.equal(
      retries[0]?.attempts.map(({ attempt, outcome }) => [attempt, outcome]),
      [
        [1, 'failed'],
        [2, 'failed'],
      ],
    );
    const failed = ending.first_failed as Json;
    const events = rig.recorded(id);
    const measurements = measurementsOf(events, 'retried');
    const first = firstFailedOf(measurements);
    assert.equal([failed.id, failed.block, first?.attempt], [first?.id, 'Leak', 2]);
    assert.equal(run.first_failed, failed);
    assert.equal(run.retries, ending.retries);
    const prompts = events.flatMap((event) => (event.type === 'prompt' ? [event.action] : []));
    assert.equal(prompts, ['open', 'answered']);
  }));

test('REC-001 a page is known by its origin; other names of who started a run are refused', () =>
  onServerRig({ retried: RETRIED }, async (rig) => {
    const { port } = new URL(rig.server.url);
    const body = { mode: 'validate', variables: { LOW: '1 V' } };
    const origin = { origin: `http://127.0.0.1:${port}` };
    const page = await rig.ask('POST /api/scenarios/retried/run?wait=30', body, origin);
    assert.equal([page.status, page.body.started_by], [200, 'page'], JSON.stringify(page.body));
    const api = await rig.ask('POST /api/scenarios/retried/run?wait=30', body);
    assert.is(api.body.started_by, 'api');
    const other = await rig.ask('POST /api/scenarios/retried/run', { ...body, started_by: 'nobody' });
    assert.equal([other.status, other.body.code], [422, 'invalid_parameter']);
  }));

test.run();
