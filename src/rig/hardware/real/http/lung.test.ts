import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import * as assert from 'uvu/assert';
import { systemClock } from '../../../../lib/clock/clock.ts';
import { SteppedClock } from '../../../../lib/clock/stepped-clock.ts';
import { suite } from '../../../../test-kit/suite.ts';
import { type LungReading, lungData } from '../../lung-data.ts';
import type { RigError } from '../../rig-error.ts';
import { httpLung } from './lung.ts';

const test = suite('lung through its service');

const MOTION = { steps: 500, speed: 10_000_000, cycles: 2, pauseS: 0.5 };
const AT_REST: LungReading = {
  connected: true,
  energized: false,
  moving: false,
  position: 0,
  positionUncertain: true,
  velocity: 0,
  forwardLimitActive: false,
  reverseLimitActive: false,
  lowVin: false,
  vinMv: 24_000,
  motorDriverError: false,
  lastMotionError: null,
  cyclesDone: 0,
  cyclesTotal: 2,
  error: null,
};
const MOVING = { ...AT_REST, moving: true, energized: true, velocity: 10_000_000 };
const MARKS = { mock: false, simulated: false, bench: true, started_at: '2025-01-01T00:00:00.000Z' };
const HEALTH = { service: 'svc-lung', ok: true, status: 'ok', message: 'OK', mock_mode: false, bench: true };

const command = (reading: LungReading, marks: object = MARKS) => ({
  ok: true,
  data: { runtime_status: lungData(reading) },
  ...marks,
});
const status = (reading: LungReading, marks: object = MARKS) => ({
  ok: true,
  ...lungData(reading),
  ...marks,
});

/** What the service answers to a path; `silence` never answers, `cut` breaks the connection off. */
type Script = Record<string, { code?: number; body: object } | 'silence' | 'cut'>;

async function onService(
  work: (rig: Awaited<ReturnType<typeof start>>) => Promise<void>,
  script: Script = {},
): Promise<void> {
  const rig = await start(script);
  try {
    await work(rig);
  } finally {
    await rig.close();
  }
}

/** A server that speaks what svc-lung speaks, as far as the script goes. */
async function start(given: Script) {
  const script: Script = {
    '/health': { body: HEALTH },
    '/api/lung': { body: command(MOVING) },
    '/api/stop': { body: command(AT_REST) },
    '/api/energize': { body: command(AT_REST) },
    '/api/hold': { body: status(MOVING) },
    '/api/status': { body: status(MOVING) },
    ...given,
  };
  const asked: string[] = [];
  const server = createServer((request, response) => {
    const path = (request.url ?? '').replace(/\?wait_ms=\d+$/, '');
    request.resume().on('end', () => {
      asked.push(path);
      const answer = script[path];
      if (answer === 'cut') request.socket.destroy();
      else if (answer && answer !== 'silence')
        response.writeHead(answer.code ?? 200).end(JSON.stringify(answer.body));
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const clock = new SteppedClock();
  const told: string[] = [];
  const lung = httpLung({
    plugin: {
      id: 'lung-motor',
      kind: 'lung',
      isActuator: true,
      enabled: true,
      connection: undefined,
      fault: undefined,
      timeoutMs: 2500,
      retryCount: 1,
    },
    connection: { type: 'http', baseUrl: `http://127.0.0.1:${port}` },
    clock,
    onReturn: () => told.push('return'),
    onLost: (why) => told.push(why),
  });
  await lung.open();
  const refused = (promise: Promise<unknown>): Promise<RigError> =>
    promise.then(
      () => Promise.reject(new Error('nothing was refused')),
      (error: RigError) => error,
    );
  return {
    lung,
    clock,
    told,
    refused,
    script,
    /** Paths that were asked, without the health. */
    commands: () => asked.filter((path) => path !== '/health'),
    until: async (isTrue: () => boolean) => {
      while (!isTrue()) await systemClock.sleep(5);
    },
    /** No process listens there any more. */
    die: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
    close: async () => {
      await lung.close();
      assert.is(clock.pending, 0, 'no timer is left');
      server.closeAllConnections();
      server.close();
    },
  };
}

test('SVC-031 a start whose answer never comes is not repeated: the lung is stopped once', () =>
  onService(
    async ({ lung, clock, refused, until, told, commands }) => {
      const start = refused(lung.port.start(MOTION));
      await until(() => commands().length === 1);
      await clock.advance(2500);
      assert.is((await start).code, 'device_timeout');
      assert.equal(commands(), ['/api/lung', '/api/stop']);
      assert.equal(told, []);
    },
    { '/api/lung': 'silence' },
  ));

test('a start in doubt whose stop is not confirmed is reported as lost, once', () =>
  onService(
    async ({ lung, refused, told, commands }) => {
      assert.is((await refused(lung.port.start(MOTION))).code, 'device_unavailable');
      assert.equal(commands(), ['/api/lung', '/api/stop']);
      assert.is(told.length, 1);
      assert.match(told[0] ?? '', 'not proven to have stopped');
    },
    { '/api/lung': 'cut', '/api/stop': 'cut' },
  ));

test('an answer that is none, and one of a simulated lung, are no start: the lung is stopped', async () => {
  const { connected: _, ...partial } = lungData(MOVING);
  const cases: [object, string][] = [
    [{ ok: true }, 'corrupt_response'],
    [{ ok: true, data: { runtime_status: partial }, ...MARKS }, 'corrupt_response'],
    [command(MOVING, { ...MARKS, mock: true }), 'wrong_device'],
  ];
  for (const [body, code] of cases)
    await onService(
      async ({ lung, refused, commands }) => {
        assert.is((await refused(lung.port.start(MOTION))).code, code);
        assert.equal(commands(), ['/api/lung', '/api/stop']);
      },
      { '/api/lung': { body } },
    );
});

test('SVC-030 a refusal of the service moves nothing: code, sentence and status are passed on, nothing is stopped', () => {
  const data = { runtime_status: lungData({ ...AT_REST, lowVin: true }) };
  const error = 'Motor supply voltage is too low';
  return onService(
    async ({ lung, refused, told, commands }) => {
      const thrown = await refused(lung.port.start(MOTION));
      assert.equal([thrown.code, thrown.message, thrown.members], ['lung_low_vin', error, { data }]);
      assert.equal([commands(), told], [['/api/lung'], []]);
    },
    { '/api/lung': { code: 503, body: { ok: false, code: 'lung_low_vin', error, detail: error, data } } },
  );
});

test('no service listens: nothing was started, nothing is lost, and it is asked again every 5 s until it is back', () =>
  onService(async ({ lung, clock, refused, told, die, commands }) => {
    await die();
    assert.is((await refused(lung.port.start(MOTION))).code, 'device_unavailable');
    assert.equal([commands(), told], [[], []]);
    assert.is(lung.component.known().status, 'error');
    assert.ok(clock.pending > 0);
  }));

test('SVC-028 the hold is renewed every 3 s until the motion has ended', () =>
  onService(async ({ lung, clock, until, told, script, commands }) => {
    await lung.port.start(MOTION);
    for (const renewals of [1, 2, 3]) {
      await clock.advance(2999);
      assert.is(commands().length, renewals);
      await clock.advance(1);
      await until(() => commands().length === renewals + 1);
      if (renewals === 2) script['/api/hold'] = { body: status({ ...AT_REST, cyclesDone: 2 }) };
      await until(() => clock.pending === (renewals === 3 ? 0 : 1));
    }
    await clock.advance(10_000);
    assert.equal(commands(), ['/api/lung', '/api/hold', '/api/hold', '/api/hold']);
    assert.equal(told, []);
  }));

test('a renewal that fails, and one that another start of the service answers: stopped once, reported once', async () => {
  const restarted = { body: status(MOVING, { ...MARKS, started_at: '2025-01-02T00:00:00.000Z' }) };
  const refusedBody = { code: 503, body: { ok: false, code: 'device_unavailable', error: 'gone' } };
  for (const answer of ['cut', restarted, refusedBody] as const)
    await onService(
      async ({ lung, clock, until, told, commands }) => {
        await lung.port.start(MOTION);
        await clock.advance(3000);
        await until(() => commands().includes('/api/stop'));
        await clock.advance(2000);
        assert.equal(commands(), ['/api/lung', '/api/hold', '/api/stop']);
        assert.is(told.filter((why) => why !== 'return').length, 1, told.join());
        assert.match(told[0] ?? '', 'no longer under command');
      },
      { '/api/hold': answer },
    );
});

test('a stop ends the renewals, and one that is answered by a lung that moves is not confirmed', () =>
  onService(async ({ lung, clock, refused, script, told, commands }) => {
    await lung.port.start(MOTION);
    assert.is((await lung.port.stop()).moving, false);
    await clock.advance(10_000);
    assert.equal(commands(), ['/api/lung', '/api/stop']);
    script['/api/stop'] = { body: command(MOVING) };
    script['/api/energize'] = { body: command(MOVING) };
    assert.match((await refused(lung.port.stop())).message, 'still moves');
    assert.match((await refused(lung.port.disable())).message, 'still energized');
    const { signal } = new AbortController();
    assert.match((await refused(lung.steps.lung_halt(signal))).message, 'still moves');
    assert.match((await refused(lung.steps.lung_deenergize(signal))).message, 'still energized');
    assert.equal(told, []);
  }));

test('SVC-039 after a stop that was refused the service is asked until it is well, and that is reported', () =>
  onService(
    async ({ lung, clock, refused, told, until }) => {
      for (const stop of ['stop', 'disable'] as const) {
        told.length = 0;
        assert.is((await refused(lung.port[stop]())).code, 'device_error');
        assert.is(lung.component.known().status, 'error');
        await clock.advance(4000);
        await until(() => told.includes('return'));
        assert.is(lung.component.known().status, 'ok');
      }
    },
    {
      '/api/stop': { code: 503, body: { ok: false, code: 'device_error', error: 'no' } },
      '/api/energize': { code: 503, body: { ok: false, code: 'device_error', error: 'no' } },
    },
  ));

test('SVC-009 a simulated stop is no stop of the real lung', () =>
  onService(
    async ({ lung, refused }) => {
      const { signal } = new AbortController();
      assert.is((await refused(lung.steps.lung_halt(signal))).code, 'wrong_device');
    },
    { '/api/stop': { body: command(AT_REST, { ...MARKS, mock: true }) } },
  ));

test('the component reports what the service says of its device, and who else holds it', async () => {
  const holder = { service: 'svc-guard', pid: 7, port: null, since: '2025-01-01T00:00:00.000Z' };
  const held = { ...HEALTH, ok: false, status: 'held', code: 'held_by_other', message: 'held', holder };
  const cases: [object, string, string | null][] = [
    [HEALTH, 'ok', null],
    [held, 'held', 'held_by_other'],
    [{ ...HEALTH, ok: false, status: 'timeout', code: 'device_timeout' }, 'timeout', 'device_timeout'],
    [{ ...HEALTH, mock_mode: true }, 'incompatible', 'wrong_device'],
    [{ ...HEALTH, service: 'svc-pump' }, 'incompatible', 'wrong_device'],
    [{ ok: true }, 'incompatible', 'wrong_device'],
  ];
  for (const [body, wanted, code] of cases)
    await onService(
      async ({ lung }) => {
        const seen = await lung.component.check(new AbortController().signal);
        assert.equal([seen.status, seen.code, seen.compatible], [wanted, code, wanted === 'ok']);
        assert.is(lung.component.known().status, wanted);
        if (wanted === 'held') assert.equal(seen.holder, holder);
      },
      { '/health': { body } },
    );
});

test.run();
