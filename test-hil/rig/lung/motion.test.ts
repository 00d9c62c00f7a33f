import * as assert from 'uvu/assert';
import { systemClock } from '../../../src/lib/clock/clock.ts';
import { suite } from '../../../src/test-kit/suite.ts';
import { together } from '../bench/together.ts';
import { type Body, call, LONG, onLungRig, SHORT, until } from './lung-rig.ts';

const test = suite('svc-lung moves the lung');

together(
  test,
  {
    // The longest one first: the others wait beside it.
    'homing without a switch ends at its time limit, with the motor released': () =>
      onLungRig(async (rig) => {
        const { url } = await rig.start();
        const begun = await call(url, 'POST /api/home', { direction: 'reverse', hold_s: 60 });
        assert.is(begun.status, 200, JSON.stringify(begun.body));
        await until(async () => (await call(url, 'GET /api/status')).body.moving === false);
        const { body } = await call(url, 'GET /api/status');
        assert.match(String(body.last_motion_error), 'homing did not end within 20000 ms');
        assert.ok(await rig.isSafe());
      }),

    'SVC-031 a start is sent once, and status reports the run to its end: all cycles, no error, no current':
      () =>
        onLungRig(async (rig) => {
          const { url } = await rig.start();
          const mark = rig.mark();
          const order = {
            ...SHORT,
            cycles: 2,
            pause: 0.1,
            direction: 'forward',
            limit_mode: 'reverse_on_limit',
          };
          const { status, body } = await call(url, 'POST /api/lung', { ...order, hold_s: 30 });
          assert.is(status, 200, JSON.stringify(body));
          const { ok, steps, speed, cycles, pause, status: what, mock, bench } = body;
          assert.equal([ok, steps, speed, cycles, pause, what], [true, 10, 10_000_000, 2, 0.1, 'started']);
          assert.equal([mock, bench], [false, true]);
          const begun = (body.data as Body).runtime_status as Body;
          assert.equal([begun.connected, begun.energized, begun.moving], [true, true, true]);
          let now: Body = {};
          await until(async () => {
            now = (await call(url, 'GET /api/status')).body;
            return now.moving === false;
          });
          assert.equal([now.cycles_done, now.cycles_total, now.last_motion_error], [2, 2, null]);
          assert.equal([now.energized, now.error, now.hold_remaining_s], [false, null, null]);
          assert.ok(await rig.isSafe());
          const targets = rig.commands(mark).filter((command) => command === 'E0');
          assert.is(targets.length, 4, 'one target for each stroke');
        }),

    'the status has every member, with its unit, and unknown is never 0': () =>
      onLungRig(async (rig) => {
        const { url } = await rig.start();
        const { status, body } = await call(url, 'GET /api/status');
        assert.is(status, 200);
        const { started_at: since, ...rest } = body;
        assert.ok(Date.parse(String(since)) > 0);
        assert.equal(rest, {
          ok: true,
          connected: true,
          energized: false,
          moving: false,
          position: 0,
          position_uncertain: true,
          forward_limit_active: false,
          reverse_limit_active: false,
          low_vin: false,
          vin_voltage: 24,
          vin_mv: 24_000,
          motor_driver_error: false,
          last_motion_error: null,
          cycles_done: 0,
          cycles_total: 0,
          error: null,
          velocity: 0,
          mock: false,
          simulated: false,
          bench: true,
          hold_remaining_s: null,
        });
      }),

    'SVC-031 a start while it moves is 409 lung_moving, and the motion goes on as it was': () =>
      onLungRig(async (rig) => {
        const { url } = await rig.start();
        const mark = rig.mark();
        const both = await Promise.all([
          call(url, 'POST /api/lung', LONG),
          call(url, 'POST /api/lung', LONG),
        ]);
        assert.equal(both.map(({ status }) => status).sort(), [200, 409]);
        const third = await call(url, 'POST /api/lung', { ...LONG, direction: 'reverse' });
        assert.equal([third.status, third.body.code], [409, 'lung_moving']);
        assert.equal([third.type, third.body.ok], ['application/problem+json', false]);
        for (const line of ['POST /api/home', 'POST /api/energize']) {
          const body = line.endsWith('home') ? { direction: 'reverse' } : { enable: true };
          assert.is((await call(url, line, body)).body.code, 'lung_moving');
        }
        assert.ok((await rig.motor()).velocity > 0);
        assert.is(rig.commands(mark).filter((command) => command === 'E0').length, 1);
        assert.is((await call(url, 'POST /api/stop')).status, 200);
      }),

    'a stop is answered when it is proven, and goes ahead of a start that is under way': () =>
      onLungRig(async (rig) => {
        const { url } = await rig.start();
        // Nothing moves, so that the start looks for motion for half a second.
        await rig.turn({ no_motion: true });
        const mark = rig.mark();
        const start = call(url, 'POST /api/lung', LONG);
        await until(() => rig.commands(mark).includes('E0'));
        const stop = await call(url, 'POST /api/stop', { unknown: 'a stop is never refused for its form' });
        assert.equal([stop.status, stop.body.ok, stop.body.status], [200, true, 'stopped']);
        const after = (stop.body.data as Body).runtime_status as Body;
        assert.equal([after.moving, after.velocity, after.energized], [false, 0, false]);
        const { status, body } = await start;
        assert.equal([status, body.code, body.ok], [409, 'superseded', false]);
        assert.ok(await rig.isSafe());
        assert.equal(rig.commands(mark).slice(-3), ['89', '86', '8F']);
        const { body: now } = await call(url, 'GET /api/status');
        assert.equal([now.moving, now.last_motion_error], [false, null]);
      }),

    'a client that goes away during its start leaves a lung that stands still': () =>
      onLungRig(async (rig) => {
        const { url } = await rig.start();
        await rig.turn({ no_motion: true });
        const mark = rig.mark();
        const gone = new AbortController();
        const start = fetch(`${url}/api/lung`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(LONG),
          signal: gone.signal,
        }).catch(() => 'gone');
        await until(() => rig.commands(mark).includes('E0'));
        gone.abort();
        assert.is(await start, 'gone');
        await rig.turn({ no_motion: false });
        await until(() => rig.commands(mark).at(-1) === '8F');
        assert.ok(await rig.isSafe());
      }),

    'energize gives current without motion, and false takes it, proven': () =>
      onLungRig(async (rig) => {
        const { url } = await rig.start();
        const on = await call(url, 'POST /api/energize', { enable: true, hold_s: 30 });
        assert.equal([on.status, on.body.ok, on.body.energized], [200, true, true]);
        assert.equal([(await rig.motor()).energized, (await rig.motor()).velocity], [true, 0]);
        // Longer than the Tic's own command timeout: it is kept alive.
        await systemClock.sleep(1500);
        assert.is((await call(url, 'GET /api/status')).body.energized, true);
        const { status, body } = await call(url, 'POST /api/lung', SHORT);
        assert.is(status, 200, JSON.stringify(body));
        await until(async () => (await call(url, 'GET /api/status')).body.moving === false);
        assert.is((await rig.motor()).energized, false, 'a normal end de-energizes');
        assert.is((await call(url, 'POST /api/energize', { enable: true })).status, 200);
        const off = await call(url, 'POST /api/energize', { enable: false });
        assert.equal([off.status, off.body.ok, off.body.energized], [200, true, false]);
        assert.ok(await rig.isSafe());
      }),

    'homing ends at its switch with position 0 and no error; an old firmware is told what it needs': () =>
      onLungRig(async (rig) => {
        await rig.turn({ reverse_limit_at: -300 });
        const { url } = await rig.start();
        const { status, body } = await call(url, 'POST /api/home', { direction: 'reverse' });
        assert.equal([status, body.status, body.direction], [200, 'homing', 'reverse']);
        await until(async () => (await call(url, 'GET /api/status')).body.moving === false);
        const { body: now } = await call(url, 'GET /api/status');
        assert.equal([now.last_motion_error, now.position], [null, 0]);
        assert.ok(Math.abs((await rig.motor()).position + 300) <= 2, 'where the switch is');
        assert.ok(await rig.isSafe());
        await rig.turn({ unplug: true });
        await rig.turn({ firmware: '1.05' });
        await rig.turn({ unplug: false });
        await until(async () => (await call(url, 'GET /health?wait_ms=2500')).body.firmware === '1.05');
        const old = await call(url, 'POST /api/home', { direction: 'reverse' });
        assert.equal([old.status, old.body.code], [503, 'device_error']);
        assert.match(String(old.body.error), 'firmware 1.05 has no homing; 1.06 or newer is needed');
      }),

    'a limit switch ends a run in limit mode stop, and the status says which one': () =>
      onLungRig(async (rig) => {
        await rig.turn({ forward_limit_at: 200 });
        const { url } = await rig.start();
        const order = { steps: 5000, speed: 10_000_000, cycles: 3, pause: 0, limit_mode: 'stop' };
        assert.is((await call(url, 'POST /api/lung', order)).status, 200);
        await until(async () => (await call(url, 'GET /api/status')).body.moving === false);
        const { body } = await call(url, 'GET /api/status');
        assert.is(body.last_motion_error, 'The forward limit switch ended the movement');
        assert.equal([body.cycles_done, body.cycles_total], [0, 3]);
        assert.ok(await rig.isSafe());
      }),

    'orders outside their ranges are 422 with each field, and nothing is sent': () =>
      onLungRig(async (rig) => {
        const { url } = await rig.start();
        const mark = rig.mark();
        const orders: [Body, string[]][] = [
          [{ ...LONG, steps: 0, speed: 500_000_001, cycles: 1.5 }, ['steps', 'speed', 'cycles']],
          [{ ...LONG, pause: 61 }, ['pause']],
          [{ ...LONG, direction: 'up', limit_mode: 'none' }, ['direction', 'limit_mode']],
          [{ ...LONG, hold_s: 0.5 }, ['hold_s']],
          [{ ...LONG, hold_s: 86_401 }, ['hold_s']],
          [{ ...LONG, speed: 1, hold: 5 }, ['hold']],
          // Planned for 200 million seconds: no hold is so long.
          [{ ...LONG, speed: 100, cycles: 1 }, ['hold_s']],
        ];
        for (const [order, fields] of orders) {
          const { status, body } = await call(url, 'POST /api/lung', order);
          assert.equal([status, body.code], [422, 'invalid_parameter'], JSON.stringify(body));
          assert.equal(
            (body.errors as Body[]).map(({ field }) => field),
            fields,
          );
        }
        for (const [line, order] of [
          ['POST /api/energize', {}],
          ['POST /api/home', { direction: 'out' }],
          ['POST /api/hold', { hold_s: 0 }],
        ] as const)
          assert.is((await call(url, line, order)).status, 422, line);
        assert.is((await call(url, 'POST /api/lung?x=1', LONG)).status, 422);
        assert.equal(rig.commands(mark), []);
      }),
  },
  { timeoutMs: 120_000, atOnce: 4 },
);

test.run();
