import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import * as assert from 'uvu/assert';
import { systemClock } from '../../lib/clock/clock.ts';
import { suite } from '../../test-kit/suite.ts';
import { askForStop, type StopStep, type WayState } from './ask-for-stop.ts';

const test = suite('one way of STOP');

const line = (entry: object): string => `${JSON.stringify(entry)}\n`;
const BEGUN = line({ event: 'begun' });
const step = (name: string, ok: boolean) => line({ event: 'step', name, ok });

type Answer = (request: IncomingMessage, response: ServerResponse, nth: number) => void;

/** What is reported of a way that answers so. @param isWanted whether a stop that is not begun is sent again */
async function reportedOf(answer: Answer, isWanted = () => true) {
  let nth = 0;
  const urls: (string | undefined)[] = [];
  const states: WayState[] = [];
  const steps: StopStep[] = [];
  const noAnswer = new AbortController();
  const server = createServer((request, response) => {
    urls.push(request.url);
    answer(request, response, nth++);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const reports = {
    state: (_: string, state: WayState) => {
      states.push(state);
      if (state.kind === 'no_answer') noAnswer.abort();
    },
    step: (one: StopStep) => steps.push(one),
  };
  silence = noAnswer.signal;
  await askForStop({ name: 'guard', url: `http://127.0.0.1:${port}/stop?id=0a1b2c3d` }, reports, {
    fetch: (url, init) => fetch(url, init),
    clock: systemClock,
    isWanted,
  });
  server.closeAllConnections();
  server.close();
  return { kinds: states.map(({ kind }) => kind), steps, urls };
}
/** Aborts when the way of the running test is reported as silent. */
let silence: AbortSignal;

const reported = (answer: string, status = 200) =>
  reportedOf((_, response) => response.writeHead(status).end(answer));

test('PAGE-002 steps and report of a way are told as they come', async () => {
  const report = line({ event: 'report', ok: true, outcome: 'safe' });
  const { kinds, steps } = await reported(BEGUN + step('pump_zero', true) + report);
  assert.equal(kinds, ['asked', 'begun', 'safe']);
  assert.equal(
    steps.map(({ name, ok }) => [name, ok]),
    [['pump_zero', true]],
  );
});

test('PAGE-002 a way that is silent for 1 s keeps its request, and a late answer is still taken', async () => {
  const report = line({ event: 'report', ok: true, outcome: 'safe' });
  const { kinds, urls } = await reportedOf((_, response) => {
    silence.addEventListener('abort', () => response.writeHead(200).end(BEGUN + report));
  });
  assert.equal(kinds, ['asked', 'no_answer', 'begun', 'safe']);
  assert.is(urls.length, 1);
});

test('PAGE-002 after a connection that failed the same stop is sent again until it has begun', async () => {
  const report = line({ event: 'report', ok: true, outcome: 'safe' });
  const { kinds, urls } = await reportedOf((request, response, nth) => {
    if (nth < 2) request.socket.destroy();
    else response.writeHead(200).end(BEGUN + report);
  });
  assert.equal(kinds, ['asked', 'no_answer', 'begun', 'safe']);
  assert.equal(urls, Array(3).fill('/stop?id=0a1b2c3d'));
});

test('PAGE-002 a stop that has begun or is released meanwhile is not sent again', async () => {
  const cut = await reportedOf((request, response) => {
    response.writeHead(200).write(BEGUN, () => request.socket.destroy());
  });
  assert.equal([cut.kinds, cut.urls.length], [['asked', 'begun', 'not_safe'], 1]);
  const released = await reportedOf(
    (request) => request.socket.destroy(),
    () => false,
  );
  assert.equal([released.kinds, released.urls.length], [['asked', 'no_answer'], 1]);
});

test('PAGE-002 a way that refuses or breaks off is never taken for a stop', async () => {
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

test.run();
