import { spawn } from 'node:child_process';
import { once } from 'node:events';
import process from 'node:process';
import * as assert from 'uvu/assert';
import { startTestService } from '../../test-kit/http/service.ts';
import { suite } from '../../test-kit/suite.ts';
import { SteppedClock } from '../clock/stepped-clock.ts';
import { route } from '../http/route.ts';
import { boundedSink } from './bounded-sink.ts';
import { createLogger, type LoggerOptions } from './create-logger.ts';
import { logLevelFrom } from './log-level.ts';

const test = suite('log');

type Line = Record<string, unknown>;

function logInMemory(options: Partial<LoggerOptions> = {}) {
  const written: string[] = [];
  const stream = { write: (text: string) => written.push(text), writableLength: 0 };
  const clock = new SteppedClock();
  const logger = createLogger({ service: 'svc-x', pid: 42, level: 'info', clock, stream, ...options });
  return { logger, stream, written, lines: () => written.map((text) => JSON.parse(text) as Line) };
}

test('a line is JSON with level, time, service, pid, fields and sentence', () => {
  const { logger, written, lines } = logInMemory();
  logger.warn('a sentence with "quotes" and %s', { device: 'pump', duration_ms: 1.5 });
  assert.equal(lines(), [
    {
      level: 'warn',
      time: '2025-01-01T00:00:00.000Z',
      service: 'svc-x',
      pid: 42,
      device: 'pump',
      duration_ms: 1.5,
      msg: 'a sentence with "quotes" and %s',
    },
  ]);
  assert.ok(written[0]?.endsWith('}\n'));
});

test('a text of any length is a line of bounded length, which says how long it was', () => {
  const { logger, lines } = logInMemory();
  const answer = 'x'.repeat(100_000);
  logger.error(`the device said ${answer}`, { answer, count: 3, hint: 'short' });
  const [line] = lines();
  assert.is(String(line?.msg).length, 4000 + '... (100016 characters)'.length);
  assert.match(String(line?.answer), /^x{4000}\.\.\. \(100000 characters\)$/);
  assert.is(line?.count, 3);
  assert.is(line?.hint, 'short');
});

test('a text within a field is cut too, and of a secret at the cut nothing is left', () => {
  const secret = 'a-token-of-the-rig';
  const { logger, written, lines } = logInMemory({ secrets: [secret] });
  const long = `${'x'.repeat(3990)}${secret}${'y'.repeat(50_000)}`;
  logger.warn(long, { last: { detail: long, parts: [long] } });
  const [line] = lines();
  const { detail, parts } = (line as Line).last as { detail: string; parts: string[] };
  for (const text of [line?.msg as string, detail, parts[0] as string]) assert.ok(text.length < 4100);
  assert.not.match(written.join(), 'a-token');
});

test('SVC_LOG_LEVEL decides from which level on; another word refuses the start', () => {
  const { logger, lines } = logInMemory({ level: logLevelFrom({ SVC_LOG_LEVEL: 'warn' }) });
  logger.debug('d');
  logger.info('i');
  logger.warn('w');
  logger.error('e');
  assert.equal(
    lines().map(({ msg }) => msg),
    ['w', 'e'],
  );
  assert.is(logLevelFrom({}), 'info');
  assert.is(logLevelFrom({ SVC_LOG_LEVEL: '' }), 'info');
  assert.throws(
    () => logLevelFrom({ SVC_LOG_LEVEL: 'loud' }),
    /SVC_LOG_LEVEL = "loud".*debug, info, warn, error/,
  );
});

test('neither the token nor an Authorization header gets into a line', () => {
  const { logger, written } = logInMemory({ secrets: ['sixteen-or-more"characters', ''] });
  logger.info('refused sixteen-or-more"characters', {
    authorization: 'Bearer abc',
    headers: { authorization: 'Bearer abc' },
    request: { headers: { authorization: 'Bearer abc' } },
    stack: 'at sixteen-or-more"characters',
  });
  assert.not.ok(/abc|sixteen/.test(written.join()), written.join());
  assert.is(written.join().split('[redacted]').length - 1, 5);
});

test('a value that JSON cannot hold is no reason to throw', () => {
  const { logger, lines } = logInMemory();
  const circle: Record<string, unknown> = {};
  circle.circle = circle;
  logger.info('odd', { circle, big: 1n });
  assert.is(lines()[0]?.msg, 'odd');
});

test('lines for a reader that hangs are dropped, and the next one that passes says how many', () => {
  const { logger, stream, lines } = logInMemory();
  logger.info('first');
  stream.writableLength = 2_000_000;
  logger.info('lost');
  logger.error('lost too');
  stream.writableLength = 0;
  logger.info('last');
  assert.equal(
    lines().map(({ msg, dropped }) => [msg, dropped]),
    [
      ['first', undefined],
      ['log lines were dropped: the reader of stderr is too slow', 2],
      ['last', undefined],
    ],
  );
  const written: string[] = [];
  const sink = boundedSink({ write: (text: string) => written.push(text), writableLength: 11 }, String, 10);
  sink.write('x');
  assert.equal(written, []);
});

test('a request is logged with id, route template, status and duration; a quiet read only at debug', async () => {
  const { logger, lines } = logInMemory();
  const { service, url } = await startTestService(
    [
      route({ method: 'GET', path: '/lease/:id', summary: 'read', handler: () => ({ ok: true }) }),
      route({ method: 'POST', path: '/lease/:id', summary: 'command', handler: () => ({ ok: true }) }),
      route({
        method: 'GET',
        path: '/defect',
        summary: 'defect',
        handler: () => Promise.reject(new Error('boom')),
      }),
    ],
    { logger },
  );
  await fetch(`${url}/lease/4711?a=secret-query`);
  await fetch(`${url}/lease/4711?a=secret-query`, { method: 'POST' });
  await fetch(`${url}/4711`);
  await fetch(`${url}/defect`);
  service.destroy();
  const told = lines().map(({ level, msg, request_id, route: label, status, code }) => [
    ...[level, msg, request_id, label, status, code],
  ]);
  assert.equal(told, [
    ['info', 'POST /lease/:id 200', 'made-id', '/lease/:id', 200, undefined],
    ['info', 'GET none 404', 'made-id', 'none', 404, 'not_found'],
    ['error', 'defect: boom', 'made-id', '/defect', undefined, undefined],
    ['warn', 'GET /defect 500', 'made-id', '/defect', 500, 'internal_error'],
  ]);
  assert.type(lines()[0]?.duration_ms, 'number');
  assert.match(String(lines()[2]?.stack), 'log.test.ts');
});

const PROGRAM = `
import { programLog, onUncaught } from './src/lib/log/program-log.ts';
import { systemClock } from './src/lib/clock/clock.ts';
const logger = programLog('svc-x', process.env, systemClock);
onUncaught(logger, (kind) => process.exit(kind === 'uncaught_exception' ? 3 : 4));
process.stdout.write('ready\\n');
`;

async function runProgram(
  last: string,
  stderr: 'read' | 'unread',
): Promise<{ code: number; stdout: string; text: string }> {
  const child = spawn(
    process.execPath,
    ['--import', 'tsx', '--input-type=module', '--eval', PROGRAM + last],
    {
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  let [stdout, text] = ['', ''];
  child.stdout.on('data', (chunk) => {
    stdout += chunk;
  });
  if (stderr === 'read')
    child.stderr.on('data', (chunk) => {
      text += chunk;
    });
  const [code] = (await once(child, stderr === 'read' ? 'close' : 'exit')) as [number];
  child.stderr.destroy();
  return { code, stdout, text };
}

test('an uncaught error is logged with its stack before the process ends', async () => {
  const thrown = await runProgram('setTimeout(() => { throw new Error("boom") }, 1)', 'read');
  const rejected = await runProgram('Promise.reject("just text")', 'read');
  assert.equal([thrown.code, thrown.stdout, rejected.code], [3, 'ready\n', 4]);
  const line = JSON.parse(thrown.text) as Line;
  assert.equal([line.level, line.msg, line.service], ['error', 'uncaught_exception: boom', 'svc-x']);
  assert.match(String(line.stack), 'Error: boom\n');
  assert.is((JSON.parse(rejected.text) as Line).msg, 'unhandled_rejection: just text');
});

for (const [title, before] of [
  ['', ''],
  [
    ', nor when a program that it has started writes there too',
    `const { spawn } = await import('node:child_process');
    const child = spawn('sleep', ['60'], { stdio: ['ignore', 'inherit', 'inherit'] });
    process.on('exit', () => child.kill());
    await new Promise((resolve) => child.on('spawn', resolve));`,
  ],
] as const)
  test(`a reader of stderr that hangs does not stop the process${title}`, async () => {
    const flood = `${before}
    for (let i = 0; i < 5000; i++) logger.info('x'.repeat(1000));
    process.stdout.write('still there\\n', () => process.exit(0));`;
    const { code, stdout } = await runProgram(flood, 'unread');
    assert.equal([code, stdout], [0, 'ready\nstill there\n']);
  });

test.run();
