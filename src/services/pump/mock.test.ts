import * as assert from 'uvu/assert';
import { SteppedClock } from '../../lib/clock/stepped-clock.ts';
import { validDescription } from '../../test-kit/http/openapi.ts';
import {
  isProblem,
  startTestPump,
  type TestPump,
  type TestPumpOptions,
} from '../../test-kit/services/pump.ts';
import { suite } from '../../test-kit/suite.ts';

const test = suite('svc-pump in mock mode');
const running: TestPump[] = [];

test.after(async () => {
  await Promise.all(running.map((one) => one.shutDown('test_end')));
});

async function start(env: Record<string, string> = {}, options: TestPumpOptions = {}) {
  const clock = new SteppedClock();
  const pump = await startTestPump(env, { clock, ...options });
  running.push({
    ...pump,
    shutDown: async (reason) => {
      const end = pump.shutDown(reason);
      await clock.advance(100);
      return end;
    },
  });
  return { ...pump, clock };
}

const MARKS = { mock: true, simulated: true, bench: false };
const STOPPED = { ok: true, power_pct: 0, duty: 0, enabled: false, verified: false, ...MARKS };

test('SVC-008 SVC-009 mock is the default: the pump of a plant, marked in each answer and in health', async () => {
  const { call } = await start();
  const { body } = await call('GET /health');
  assert.equal(
    [body.ok, body.status, body.driver, body.identified, body.port, body.freq_hz, body.mock_mode, body.bench],
    [true, 'ok', 'DRI0050', false, null, null, true, false],
  );
  const speed = await call('POST /api/speed', { power_pct: 20, hold_s: 10 });
  assert.equal(
    [speed.status, speed.body],
    [200, { ok: true, power_pct: 20, duty: 51, enabled: true, verified: false, ...MARKS }],
  );
  assert.equal((await call('GET /api/status')).body, {
    ok: true,
    power_pct: 20,
    duty: 51,
    freq_hz: null,
    enabled: true,
    hold_remaining_s: 10,
    ...MARKS,
  });
  assert.equal((await call('POST /api/stop')).body, STOPPED);
});

test('SVC-028 the pump stops when no one renews its hold, at the time that was asked for or after 60 s', async () => {
  const { call, clock, lines } = await start();
  for (const [hold, seconds] of [
    [{ hold_s: 2 }, 2],
    [{}, 60],
    [{ hold_s: 3600 }, 3600],
  ] as const) {
    await call('POST /api/speed', { power_pct: 40, ...hold });
    await clock.advance(seconds * 1000 - 1);
    assert.is((await call('GET /api/status')).body.enabled, true, `${seconds} s`);
    await clock.advance(1);
    const { body } = await call('GET /api/status');
    assert.equal([body.enabled, body.power_pct, body.hold_remaining_s], [false, 0, null], `${seconds} s`);
  }
  assert.match(lines.join('\n'), 'stopping: the hold was not renewed');
  assert.match(lines.join('\n'), 'stopped (the hold was not renewed): plant: duty 0');
});

test('SVC-028 a renewal and a new speed both begin the hold anew; a renewal may shorten it', async () => {
  const { call, clock } = await start();
  const left = async () => (await call('GET /api/status')).body.hold_remaining_s;
  await call('POST /api/speed', { power_pct: 40, hold_s: 10 });
  await clock.advance(8000);
  assert.is(await left(), 2);
  const renewed = await call('POST /api/hold', { hold_s: 10 });
  assert.equal([renewed.status, renewed.body.enabled, renewed.body.hold_remaining_s], [200, true, 10]);
  await clock.advance(8000);
  await call('POST /api/speed', { power_pct: 50, hold_s: 5 });
  assert.is(await left(), 5);
  await call('POST /api/hold', {});
  assert.is(await left(), 60);
  await call('POST /api/hold', { hold_s: 1 });
  await clock.advance(1000);
  assert.is((await call('GET /api/status')).body.enabled, false);
});

test('SVC-028 a hold starts nothing: on a standing pump it answers the status, enabled false', async () => {
  const { call, clock } = await start();
  for (const _ of [1, 2]) {
    const { status, body } = await call('POST /api/hold', { hold_s: 10 });
    assert.equal([status, body.enabled, body.duty, body.hold_remaining_s], [200, false, 0, null]);
    await call('POST /api/speed', { power_pct: 40, hold_s: 1 });
    await clock.advance(1000);
  }
  assert.is((await call('GET /api/status')).body.enabled, false);
});

const RANGE = 'must be a number from 0 to 100';
const HOLD_RANGE = 'must be a number from 1 to 3600 (limits.pump.max_hold_s in svc.yaml)';
const BAD_SPEEDS: readonly (readonly [body: unknown, status: number, code: string, detail: string])[] = [
  [{}, 422, 'invalid_parameter', 'power_pct: is required'],
  [{ power_pct: -0.001 }, 422, 'invalid_parameter', `power_pct: ${RANGE}`],
  [{ power_pct: 100.001 }, 422, 'invalid_parameter', `power_pct: ${RANGE}`],
  ['{"power_pct":1e400}', 422, 'invalid_parameter', `power_pct: ${RANGE}`],
  ['{"power_pct":NaN}', 400, 'invalid_json', 'body is not valid JSON'],
  [{ power_pct: '20' }, 422, 'invalid_parameter', `power_pct: ${RANGE}`],
  [{ power_pct: null }, 422, 'invalid_parameter', `power_pct: ${RANGE}`],
  [{ power_pct: true }, 422, 'invalid_parameter', `power_pct: ${RANGE}`],
  [{ power_pct: [20] }, 422, 'invalid_parameter', `power_pct: ${RANGE}`],
  [{ power_pct: 20, hold_s: 0.999 }, 422, 'invalid_parameter', `hold_s: ${HOLD_RANGE}`],
  [{ power_pct: 20, hold_s: 3600.1 }, 422, 'invalid_parameter', `hold_s: ${HOLD_RANGE}`],
  [{ power_pct: 20, hold_s: '10' }, 422, 'invalid_parameter', `hold_s: ${HOLD_RANGE}`],
  [{ power_pct: 20, hold_s: null }, 422, 'invalid_parameter', `hold_s: ${HOLD_RANGE}`],
  [{ power_pct: 20, hold: 10 }, 422, 'invalid_parameter', 'hold: is not known here'],
  [{ power_pct: 0, force: 1 }, 422, 'invalid_parameter', 'force: is not known here'],
  [{ power_pct: 101, hold_s: 0 }, 422, 'invalid_parameter', `power_pct: ${RANGE}; hold_s: ${HOLD_RANGE}`],
  [[20], 422, 'invalid_parameter', 'body: must be an object'],
  ['"20"', 422, 'invalid_parameter', 'body: must be an object'],
  ['{"power_pct":20', 400, 'invalid_json', 'body is not valid JSON'],
];

test('SVC-029 SVC-006 bad speeds: exact status, code and sentence, and nothing moves', async () => {
  const { call } = await start();
  await call('POST /api/speed', { power_pct: 30 });
  for (const [body, ...expected] of BAD_SPEEDS) isProblem(await call('POST /api/speed', body), [...expected]);
  for (const query of ['?power_pct=20', '?a=1', '?power_pct=20&power_pct=30'])
    assert.is((await call(`POST /api/speed${query}`, { power_pct: 20 })).status, 422, query);
  isProblem(await call('POST /api/speed', '{}', { 'content-type': 'text/plain' }), [
    415,
    'unsupported_media_type',
    'content type "text/plain" is not taken; send application/json',
  ]);
  const { body } = await call('GET /api/status');
  assert.equal([body.duty, body.enabled], [77, true]);
});

test('SVC-052 the limits of svc.yaml hold here too: power and hold beyond them are 422, and nothing moves', async () => {
  const { call } = await start({}, { yaml: 'limits: {pump: {max_power_pct: 60}}' });
  const powerRange = 'must be a number from 0 to 60 (limits.pump.max_power_pct in svc.yaml)';
  const holdRange = 'must be a number from 1 to 10 (limits.pump.max_hold_s in svc.yaml)';
  for (const [line, body, detail] of [
    ['POST /api/speed', { power_pct: 60.01 }, `power_pct: ${powerRange}`],
    ['POST /api/speed', { power_pct: 100 }, `power_pct: ${powerRange}`],
    ['POST /api/speed', { power_pct: 20, hold_s: 10.1 }, `hold_s: ${holdRange}`],
    ['POST /api/hold', { hold_s: 60 }, `hold_s: ${holdRange}`],
  ] as const)
    isProblem(await call(line, body), [422, 'invalid_parameter', detail]);
  const status = async () => (await call('GET /api/status')).body;
  assert.is((await status()).enabled, false);
  assert.is((await call('POST /api/speed', { power_pct: 60 })).status, 200);
  assert.equal([(await status()).duty, (await status()).hold_remaining_s], [153, 10], 'the default as well');
  await call('POST /api/hold', {});
  assert.is((await status()).hold_remaining_s, 10);
});

test('SVC-029 the bounds themselves are taken: 0 stops, 100 is full, what eight bits cannot show is a stop', async () => {
  const { call } = await start();
  for (const [power, duty, enabled] of [
    [100, 255, true],
    [0.2, 1, true],
    [0.19, 0, false],
    [100, 255, true],
    [0, 0, false],
  ] as const) {
    const { status, body } = await call('POST /api/speed', { power_pct: power });
    assert.equal([status, body.duty, body.enabled], [200, duty, enabled], String(power));
  }
  assert.is((await call('GET /api/status')).body.hold_remaining_s, null);
});

test('SVC-029 bad renewals: exact status, code and sentence, and the hold stays as it was', async () => {
  const { call } = await start();
  await call('POST /api/speed', { power_pct: 30, hold_s: 100 });
  for (const [body, detail] of [
    [{ hold_s: 0 }, `hold_s: ${HOLD_RANGE}`],
    [{ hold_s: 3601 }, `hold_s: ${HOLD_RANGE}`],
    [{ hold_s: '10' }, `hold_s: ${HOLD_RANGE}`],
    [{ hold: 10 }, 'hold: is not known here'],
  ] as const)
    isProblem(await call('POST /api/hold', body), [422, 'invalid_parameter', detail]);
  assert.is((await call('GET /api/status')).body.hold_remaining_s, 100);
});

test('a stop is never refused for its form', async () => {
  const { call } = await start();
  for (const [line, body, type] of [
    ['POST /api/stop', undefined, undefined],
    ['POST /api/stop', {}, undefined],
    ['POST /api/stop?a=1&a=2', '{"broken', undefined],
    ['POST /api/stop', 'now!', 'text/plain'],
  ] as const) {
    await call('POST /api/speed', { power_pct: 30 });
    const answer = await call(line, body, type ? { 'content-type': type } : {});
    assert.equal([answer.status, answer.body], [200, STOPPED], line);
  }
});

test('SVC-003 with a token each route needs it but for /health and, from this machine, the stop', async () => {
  const { call } = await start({ SVC_API_TOKEN: 'sixteen-or-more-characters' });
  const authorization = 'Bearer sixteen-or-more-characters';
  for (const line of [
    'POST /api/speed',
    'POST /api/hold',
    'GET /api/status',
    'GET /metrics',
    'GET /openapi.json',
  ])
    assert.is((await call(line)).status, 401, line);
  assert.is((await call('POST /api/speed', { power_pct: 20 }, { authorization })).status, 200);
  for (const line of ['GET /health', 'POST /api/stop']) assert.is((await call(line)).status, 200, line);
});

test('SVC-004 a page of somebody else cannot drive the pump, nor stop it', async () => {
  const { call } = await start();
  for (const line of ['POST /api/speed', 'POST /api/stop', 'GET /api/status']) {
    const { status, body, headers } = await call(line, undefined, { origin: 'http://evil.example' });
    assert.equal([status, body.code], [403, 'origin_refused'], line);
    assert.is(headers.get('access-control-allow-origin'), null);
  }
});

test('SVC-005 SVC-007 wrong method, unknown path, too large a body; metrics and description', async () => {
  const { call, url } = await start();
  const wrong = await call('GET /api/speed');
  assert.equal([wrong.status, wrong.headers.get('allow')], [405, 'POST']);
  assert.is((await call('GET /api/power')).status, 404);
  assert.is((await call('POST /api/speed', { power_pct: 20, more: 'x'.repeat(70_000) })).status, 413);
  const metrics = String((await call('GET /metrics')).body.text);
  assert.match(metrics, 'svc_hardware_mode{mode="mock"} 1');
  assert.not.match(metrics, 'svc_device_up', 'there is no device');
  const { paths } = await validDescription(url);
  assert.equal(Object.keys(paths as object).sort(), [
    '/api/hold',
    '/api/speed',
    '/api/status',
    '/api/stop',
    '/health',
    '/metrics',
    '/openapi.json',
  ]);
});

test('SVC-040 after the end began nothing moves any more', async () => {
  const clock = new SteppedClock();
  const pump = await startTestPump({}, { clock });
  await pump.call('POST /api/speed', { power_pct: 30 });
  const ended = pump.shutDown('SIGTERM');
  await clock.advance(1000);
  assert.equal(await ended, { ok: true });
  assert.is(clock.pending, 0);
  assert.match(pump.lines.join('\n'), 'stopped (SIGTERM): plant: duty 0');
});

test.run();
