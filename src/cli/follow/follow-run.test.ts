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

const PASSED = { ...LOST, status: 'passed', ok: true, ended_at: '2025-01-15T10:00:00.000Z' };

/** Writes of svcctl, which waits no time between its tries. */
function capture() {
  const said = { stdout: '', stderr: '' };
  const into = (name: keyof typeof said) => ({
    write: (text: string) => {
      said[name] += text;
    },
  });
  const clock = Object.assign(Object.create(systemClock) as typeof systemClock, { sleep: async () => {} });
  const io = { env: {}, cwd: '/', stdout: into('stdout'), stderr: into('stderr'), clock, fetch };
  return { said, io: io as unknown as Io };
}

const faultEvent = (reason: string, temporary = false) =>
  `event: record-fault\ndata: ${JSON.stringify({ reason, temporary })}\n\n`;

test('SVC-045 a passed run with damaged lines: each is told once, the verdict does not count in text, JSON and exit code', async () => {
  const [second, third] = ['line 2 is damaged', 'line 3 is damaged'];
  const stream = (response: ServerResponse) =>
    response.write(faultEvent(second) + faultEvent(second) + faultEvent(third) + sent());
  const noCount = `the verdict does not count: ${second}; ${third}\n`;
  const told = `svcctl: ${ID}: ${second}\nsvcctl: ${ID}: ${third}\n`;
  const work = async (url: string) => {
    const text = capture();
    assert.is(await followRun(new ServerCalls(url, text.io), ID, { quiet: true }, text.io), 3);
    assert.is(text.said.stderr, told);
    assert.ok(text.said.stdout.endsWith(noCount), text.said.stdout);
    const json = capture();
    assert.is(await followRun(new ServerCalls(url, json.io), ID, { quiet: true, json: true }, json.io), 3);
    const { status, ok, ...shown } = JSON.parse(json.said.stdout) as Record<string, unknown>;
    assert.equal([status, ok], ['error', false], 'nobody who reads one of them takes it for a pass');
    assert.equal([shown.recorded_status, shown.record_faults], ['passed', [second, third]]);
    assert.ok(json.said.stderr.endsWith(noCount), json.said.stderr);
  };
  await withRun(stream, work, PASSED);
});

test('SVC-045 a record that cannot be read for a moment is read again, and the verdict counts', async () => {
  let streams = 0;
  const stream = (response: ServerResponse) =>
    response.write(++streams === 1 ? faultEvent('EMFILE: too many open files', true) : sent());
  const work = async (url: string) => {
    const { said, io } = capture();
    assert.is(await followRun(new ServerCalls(url, io), ID, { quiet: true }, io), 0, said.stderr);
    assert.is(said.stderr, `svcctl: ${ID}: EMFILE: too many open files; trying again\n`);
    assert.not.match(said.stdout, 'does not count');
  };
  await withRun(stream, work, PASSED);
});

test('SVC-045 a record that stays unreadable ends svcctl with exit code 3 and the reason', async () => {
  let streams = 0;
  const stream = (response: ServerResponse) => {
    // A svcctl that goes on for ever gets an answer that ends it.
    if (++streams > 40) response.write(sent());
    else response.write(faultEvent('EIO: input/output error', true));
  };
  const work = async (url: string) => {
    const { io } = capture();
    const thrown = await followRun(new ServerCalls(url, io), ID, { quiet: true }, io).catch((one) => one);
    assert.instance(thrown, CliError);
    assert.equal([thrown.code, thrown.exitCode, streams], ['record_unreadable', 3, 31]);
    assert.match(thrown.message, `${ID} cannot be followed: EIO: input/output error; it was tried 30 times`);
  };
  await withRun(stream, work, { ...LOST, status: 'running' });
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
