import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import * as assert from 'uvu/assert';
import { systemClock } from '../../lib/clock/clock.ts';
import type { AliveState } from '../../services/server/live/live-schema.ts';
import type { StationState } from '../../services/server/station/station.ts';
import { suite } from '../../test-kit/suite.ts';
import { alive } from '../live/state.ts';
import { startRun } from './start-run.ts';
import { enter, sendEntries, station, stationFault } from './station.ts';

const test = suite('entries of the page for the next run');

const EMPTY = {
  scenario_id: '',
  serial: '',
  part: '',
  revision: '',
  batch: '',
  operator: '',
  dismissed_run: '',
  keep_variables: false,
};
let state: StationState = { ...EMPTY, variables: {}, version: 1 };
/** Bodies of the runs that were started. */
const runs: Record<string, unknown>[] = [];
let isFailing = false;
/** Waited for before a change is taken. */
let taken = Promise.resolve();

async function bodyOf(request: IncomingMessage): Promise<Record<string, unknown>> {
  let text = '';
  for await (const part of request) text += part;
  return JSON.parse(text) as Record<string, unknown>;
}

const server = createServer(async (request, response) => {
  const body = await bodyOf(request);
  await taken;
  const answer = (status: number, of: object) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(of));
  if (isFailing) return answer(503, { code: 'device_unavailable', detail: 'the disk is full' });
  if (request.url !== '/api/station') {
    runs.push(body);
    return answer(202, { run_id: `r-${runs.length}` });
  }
  state = { ...state, ...body, version: state.version + 1 };
  return answer(200, state);
});
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
const { fetch } = globalThis;
// A browser resolves a path against the address of the page.
globalThis.fetch = (path, init) => fetch(new URL(String(path), base), init);
test.after(() => {
  globalThis.fetch = fetch;
  server.closeAllConnections();
  server.close();
});

/** The stream reports the entries of the server. */
const hear = () => {
  alive.value = { station: state } as AliveState;
};
const until = async (isTrue: () => boolean) => {
  while (!isTrue()) await systemClock.sleep(10);
};
const PLAN = { scenario_id: 'quick', variables: {} };

test('PAGE-001 an entry that did not reach the server stays on the screen, is not started, and is sent again', async () => {
  hear();
  isFailing = true;
  enter({ serial: 'SN-A' });
  await sendEntries();
  assert.ok(stationFault.value);
  state = { ...state, serial: 'SN-B', operator: 'Ada', version: state.version + 1 };
  hear();
  assert.equal([station.value?.serial, station.value?.operator], ['SN-A', 'Ada']);
  assert.is(
    await startRun(PLAN, false).then(
      () => 'started',
      () => 'refused',
    ),
    'refused',
  );
  isFailing = false;
  await until(() => stationFault.value === undefined);
  assert.equal([state.serial, station.value?.serial, runs.length], ['SN-A', 'SN-A', 0]);
});

test('PAGE-001 a run is recorded under the serial number at Start, not one that is scanned while it is started', async () => {
  hear();
  let take = () => {};
  taken = new Promise((resolve) => {
    take = resolve;
  });
  enter({ serial: 'SN-1' });
  const started = startRun(PLAN, false);
  enter({ serial: 'SN-2' });
  take();
  assert.is(await started, 'r-1');
  assert.is(runs[0]?.unit_under_test, 'SN-1');
  await until(() => state.serial === 'SN-2');
});

test.run();
