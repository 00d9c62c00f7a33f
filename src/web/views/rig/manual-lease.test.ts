import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import * as assert from 'uvu/assert';
import { systemClock } from '../../../lib/clock/clock.ts';
import { suite } from '../../../test-kit/suite.ts';
import type { RequestError } from '../../api/request.ts';
import type { ConnectionState } from '../../live/connection.ts';
import { connection } from '../../live/state.ts';
import { ManualLease } from './manual-lease.ts';

const test = suite('lease of manual control');

/** Requests in order, without those that renew. */
let asked: string[] = [];
/** Answers of the server that are not `ok`, by the end of the path. */
let answers: Record<string, (response: ServerResponse) => void> = {};

const server = createServer(({ url = '' }, response) => {
  const what = url.replace(/^\/api\/manual(\/l-1)?\/?/, '');
  if (what !== 'renew') asked.push(what || 'take');
  response.setHeader('content-type', 'application/json');
  if (answers[what]) answers[what](response);
  else response.end(JSON.stringify(what === '' ? { lease_id: 'l-1' } : { ok: true }));
});
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
const { fetch } = globalThis;
// A browser resolves a path against the address of the page, and has events of the window.
globalThis.fetch = (path, init) => fetch(new URL(String(path), base), init);
const window = new EventTarget();
Object.assign(globalThis, {
  addEventListener: window.addEventListener.bind(window),
  removeEventListener: window.removeEventListener.bind(window),
});
test.before.each(() => {
  connection.value = { kind: 'ok' };
  asked = [];
  answers = {};
});
test.after(() => {
  globalThis.fetch = fetch;
  server.closeAllConnections();
  server.close();
});

const until = async (isTrue: () => boolean) => {
  while (!isTrue()) await systemClock.sleep(10);
};
const codeOf = (fault: unknown) => (fault as RequestError).code;

test('PAGE-001 a page that is hidden or cut off ends its lease and says so', async () => {
  const unseen: ConnectionState[] = [{ kind: 'paused' }, { kind: 'lost', since: 0, reason: null }];
  for (const state of unseen) {
    connection.value = { kind: 'ok' };
    asked = [];
    const lost: unknown[] = [];
    await ManualLease.take('Ada', (fault) => lost.push(fault));
    connection.value = state;
    assert.equal(lost.map(codeOf), ['lease_unseen']);
    await until(() => asked.includes('end'));
  }
});

test('PAGE-001 a lease that arrives when the page is hidden is given back', async () => {
  connection.value = { kind: 'paused' };
  const code = await ManualLease.take('Ada', () => {}).then(() => 'taken', codeOf);
  assert.is(code, 'lease_unseen');
  await until(() => asked.includes('end'));
});

test('SVC-036 a lease that is given back reports a safe state that is not proven, and a lease that is over reports nothing', async () => {
  const refuse = (status: number, code: string) => (response: ServerResponse) =>
    response.writeHead(status).end(JSON.stringify({ code, detail: 'valve-3' }));
  for (const [code, shown] of [
    ['safe_state_incomplete', 'safe_state_incomplete'],
    ['lease_gone', 'given back'],
  ] as const) {
    answers = { end: refuse(503, code) };
    const lease = await ManualLease.take('Ada', () => {});
    assert.is(await lease.end().then(() => 'given back', codeOf), shown);
  }
});

test('PAGE-001 closing a valve takes back its opening while the one before is still being closed', async () => {
  const lease = await ManualLease.take('Ada', () => {});
  await lease.valve('valve-1', true);
  let answerFirst = () => {};
  answers = {
    'valve/valve-1?open=false': (response) => {
      answerFirst = () => response.end('{"ok":true}');
    },
  };
  const opened = lease.valve('valve-2', true);
  await until(() => asked.includes('valve/valve-1?open=false'));
  await lease.valve('valve-2', false);
  answerFirst();
  await opened;
  assert.equal(asked.slice(2), ['valve/valve-1?open=false', 'valve/valve-2?open=false']);
  await lease.end();
});

test.run();
