import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import * as assert from 'uvu/assert';
import { suite } from '../../test-kit/suite.ts';
import { askForStop, type StopStep, type WayState } from './ask-for-stop.ts';
import { type StopAttempt, summaryOf } from './stop-state.ts';

const test = suite('one way of STOP');

const line = (entry: object): string => `${JSON.stringify(entry)}\n`;
const BEGUN = line({ event: 'begun' });
const step = (name: string, ok: boolean) => line({ event: 'step', name, ok });

/** What is reported of a way that answers so; undefined: it does not answer. */
async function reported(answer: string | undefined, status = 200) {
  const server = createServer((_, response) => {
    if (answer !== undefined) response.writeHead(status).end(answer);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const states: WayState[] = [];
  const steps: StopStep[] = [];
  const reports = {
    state: (_: string, state: WayState) => states.push(state),
    step: (one: StopStep) => steps.push(one),
  };
  await askForStop({ name: 'guard', url: `http://127.0.0.1:${port}/stop` }, reports, (url, init) =>
    fetch(url, init),
  );
  server.closeAllConnections();
  server.close();
  return { kinds: states.map(({ kind }) => kind), steps };
}

test('PAGE-002 steps and report of a way are told as they come', async () => {
  const report = line({ event: 'report', ok: true, outcome: 'safe' });
  const { kinds, steps } = await reported(BEGUN + step('pump_zero', true) + report);
  assert.equal(kinds, ['asked', 'begun', 'safe']);
  assert.equal(
    steps.map(({ name, ok }) => [name, ok]),
    [['pump_zero', true]],
  );
});

test('PAGE-002 a way that is silent for 1 s, refuses or breaks off is never taken for a stop', async () => {
  assert.equal((await reported(undefined)).kinds, ['asked', 'no_answer']);
  assert.equal((await reported(line({ detail: 'no token' }), 401)).kinds, ['asked', 'refused']);
  assert.equal((await reported(BEGUN + step('pump_zero', true))).kinds, ['asked', 'begun', 'no_answer']);
  assert.equal((await reported(`${BEGUN}{"event":`)).kinds, ['asked', 'begun', 'not_safe']);
});

test('PAGE-002 a report that is not safe is said plainly', async () => {
  for (const outcome of ['partial', 'failed'])
    assert.equal(
      (await reported(BEGUN + line({ event: 'report', ok: false, outcome }))).kinds.at(-1),
      'not_safe',
    );
  assert.equal(
    (await reported(BEGUN + line({ event: 'report', ok: true, outcome: 'odd' }))).kinds.at(-1),
    'not_safe',
  );
});

test('PAGE-002 the stop is confirmed when one way has proven it, and not when neither has answered', () => {
  const attempt = (server: WayState, guard: WayState): StopAttempt => ({
    at: 0,
    ways: { server, guard },
    steps: [],
  });
  const none = { kind: 'no_answer' } as const;
  const failed = { kind: 'not_safe', detail: '' } as const;
  assert.is(summaryOf(attempt(none, { kind: 'safe' })), 'safe');
  assert.is(summaryOf(attempt(failed, { kind: 'begun' })), 'stopping');
  assert.is(summaryOf(attempt(none, failed)), 'not_safe');
  assert.is(summaryOf(attempt(none, { kind: 'refused', detail: '' })), 'not_confirmed');
});

test.run();
