import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import * as assert from 'uvu/assert';
import { systemClock } from '../../lib/clock/clock.ts';
import { suite } from '../../test-kit/suite.ts';
import { CliError } from '../errors/cli-error.ts';
import type { Io } from '../io/io.ts';
import { followRun } from './follow-run.ts';
import { ServerCalls } from './server-calls.ts';

const test = suite('svcctl follow');

const ID = 'r-20250115-0001';
const LOST = { run_id: ID, status: 'aborted', ok: false, ended_at: null, errors: [] };
const END = {
  ...{ seq: 0, t: 0, time: '2025-01-15T10:00:00.000Z', goal: null, pos: null, simulated: false },
  ...{ type: 'run.end', outcome: 'passed', ok: true, judged: true, passed: 1, total: 1, durationMs: 1 },
};

/** A server with one run. @param stream writes its events */
async function withRun(
  stream: (response: ServerResponse) => void,
  work: (url: string) => Promise<void>,
  view: object = LOST,
) {
  const server = createServer(({ url = '' }, response) => {
    if (url === `/api/runs/${ID}/events`) {
      response.setHeader('content-type', 'text/event-stream');
      stream(response);
      response.end();
      return;
    }
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(view));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    await work(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  } finally {
    server.close();
    server.closeAllConnections();
  }
}

for (const [when, stream] of [
  ['before its last event', () => {}],
  ['after its last event', (response: ServerResponse) => response.write(sent())],
] as const)
  test(`REC-004 a run that the server lost ${when} ends with exit code 3 instead of waiting for ever`, () =>
    withRun(stream, async (url) => {
      const text = { write: () => true };
      const io = {
        env: {},
        cwd: '/',
        stdout: text,
        stderr: text,
        clock: systemClock,
        fetch,
      } as unknown as Io;
      try {
        await followRun(new ServerCalls(url, io), ID, { quiet: true }, io);
        assert.unreachable();
      } catch (thrown) {
        if (!(thrown instanceof CliError)) throw thrown;
        assert.equal([thrown.code, thrown.exitCode], ['run_lost', 3]);
        assert.match(thrown.message, `${ID} is no longer carried out and its record has no ending`);
      }
    }));

test('SVC-045 a record with a damaged line is followed to its end, the fault is told once, and the exit code is 3', () => {
  const fault = `event: record-fault\ndata: {"reason":"line 2 of events.ndjson is damaged"}\n\n`;
  return withRun(
    (response) => response.write(fault + fault + sent()),
    async (url) => {
      let told = '';
      const stderr = {
        write: (text: string) => {
          told += text;
        },
      };
      const io = {
        ...{ env: {}, cwd: '/', stdout: { write: () => true }, stderr, clock: systemClock, fetch },
      } as unknown as Io;
      assert.is(await followRun(new ServerCalls(url, io), ID, { quiet: true }, io), 3);
      assert.is(told, `svcctl: ${ID}: line 2 of events.ndjson is damaged\n`);
    },
    { ...LOST, status: 'passed', ok: true, ended_at: '2025-01-15T10:00:00.000Z' },
  );
});

test('why a run has no verdict is told after its events, as svcctl run tells it; a failed check is among them', () => {
  const errors = [
    { code: 'SCN409', message: 'Bob stopped the rig' },
    { code: 'failed', message: 'One reading: too low' },
  ];
  return withRun(
    (response) => response.write(sent()),
    async (url) => {
      let told = '';
      const stderr = {
        write: (text: string) => {
          told += text;
        },
      };
      const io = {
        ...{ env: {}, cwd: '/', stdout: { write: () => true }, stderr, clock: systemClock, fetch },
      } as unknown as Io;
      assert.is(await followRun(new ServerCalls(url, io), ID, { quiet: true }, io), 3);
      assert.is(told, `svcctl: ${ID}: SCN409: Bob stopped the rig\n`);
    },
    { ...LOST, status: 'error', ended_at: '2025-01-15T10:00:00.000Z', errors },
  );
});

const sent = () => `id: 0\nevent: run.end\ndata: ${JSON.stringify(END)}\n\n`;

test.run();
