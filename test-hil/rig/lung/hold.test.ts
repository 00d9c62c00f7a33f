import * as assert from 'uvu/assert';
import { systemClock } from '../../../src/lib/clock/clock.ts';
import { suite } from '../../../src/test-kit/suite.ts';
import { end } from '../bench/program.ts';
import { together } from '../bench/together.ts';
import { type Body, call, LONG, onLungRig, until } from './lung-rig.ts';

const test = suite('svc-lung leaves nothing moving');

together(
  test,
  {
    'SVC-028 a motion whose hold is not renewed is stopped and de-energized': () =>
      onLungRig(async (rig) => {
        const { url } = await rig.start();
        const mark = rig.mark();
        const { body } = await call(url, 'POST /api/lung', { ...LONG, hold_s: 1 });
        assert.is(body.ok, true);
        assert.ok(Number(body.hold_remaining_s) > 0 && Number(body.hold_remaining_s) <= 1);
        await until(() => rig.commands(mark).at(-1) === '8F');
        assert.equal(rig.commands(mark).slice(-3), ['89', '86', '8F']);
        assert.ok(await rig.isSafe());
        const { body: now } = await call(url, 'GET /api/status');
        assert.equal([now.moving, now.hold_remaining_s, now.last_motion_error], [false, null, null]);
        assert.equal([now.cycles_done, now.cycles_total], [0, 1], 'it was not done');
      }),

    'SVC-028 current without motion is under the hold as well': () =>
      onLungRig(async (rig) => {
        const { url } = await rig.start();
        assert.is((await call(url, 'POST /api/energize', { enable: true, hold_s: 1 })).status, 200);
        await until(() => rig.isSafe());
        assert.is((await call(url, 'GET /api/status')).body.energized, false);
      }),

    'SVC-028 a hold that is renewed lets the motion go on; one that is over is not brought back': () =>
      onLungRig(async (rig) => {
        // A service that gets no processor for a second ends the motion as well, by the motor's own time limit.
        await rig.turn({ command_timeout_ms: 60_000 });
        const { url } = await rig.start();
        // Far longer than a busy machine lets a renewal wait, and shorter than all of them together.
        const hold_s = 10;
        await call(url, 'POST /api/lung', { ...LONG, hold_s });
        for (let renewal = 0; renewal < 6; renewal += 1) {
          await systemClock.sleep(2000);
          assert.ok((await rig.motor()).velocity > 0);
          const last = await call(url, 'POST /api/hold', { hold_s: renewal < 5 ? hold_s : 1 });
          assert.equal([last.status, last.body.moving], [200, true]);
        }
        await until(() => rig.isSafe());
        const mark = rig.mark();
        const { status, body } = await call(url, 'POST /api/hold', { hold_s: 30 });
        assert.equal([status, body.moving, body.hold_remaining_s], [200, false, null]);
        assert.equal(rig.commands(mark), []);
      }),

    'the hold of a start without one is the planned duration and 10 s': () =>
      onLungRig(async (rig) => {
        const { url } = await rig.start();
        // 400 step/s2: 5000 steps at 1000 step/s take 5 + 2.5 s, four times, with three pauses of 1 s.
        const order = { steps: 5000, speed: 10_000_000, cycles: 2, pause: 1 };
        const { body } = await call(url, 'POST /api/lung', order);
        const holdS = Number(body.hold_remaining_s);
        assert.ok(holdS > 42 && holdS <= 43, `${holdS}`);
      }),

    'SVC-028 SVC-040 after SIGKILL the Tic stops by itself, and the next start de-energizes before anything':
      () =>
        onLungRig(async (rig) => {
          const service = await rig.start();
          await call(service.url, 'POST /api/lung', { ...LONG, hold_s: 3600 });
          assert.ok((await rig.motor()).velocity > 0);
          await end(service, 'SIGKILL');
          await until(async () => (await rig.motor()).velocity === 0);
          // The command timeout of 1 s and the way to a stop; the order itself goes on for 1000 s.
          assert.ok(rig.standstillAfterSilenceMs() < 10_000, `${rig.standstillAfterSilenceMs()} ms`);
          assert.is((await rig.motor()).energized, true, 'it holds, as its soft-error response says');
          const mark = rig.mark();
          const { url } = await rig.start();
          assert.equal(rig.commands(mark), ['89', '86', '8F']);
          assert.ok(await rig.isSafe());
          const { body } = await call(url, 'GET /api/status');
          assert.equal([body.moving, body.cycles_total], [false, 0]);
        }),

    'SVC-040 SIGTERM and SIGINT while it moves halt and de-energize, exit 0': () =>
      onLungRig(async (rig) => {
        for (const signal of ['SIGTERM', 'SIGINT'] as const) {
          const service = await rig.start();
          await call(service.url, 'POST /api/lung', LONG);
          const mark = rig.mark();
          const { code, stderr } = await end(service, signal);
          assert.is(code, 0, stderr);
          assert.ok(await rig.isSafe());
          assert.equal(rig.commands(mark).slice(0, 3), ['89', '86', '8F']);
        }
      }),

    'SVC-040 an uncaught error while it moves halts and de-energizes, exit 1': () =>
      onLungRig(async (rig) => {
        const fault = encodeURIComponent('process.on("SIGUSR2",()=>{throw new Error("boom")})');
        const service = await rig.start({ NODE_OPTIONS: `--import data:text/javascript,${fault}` });
        await call(service.url, 'POST /api/lung', LONG);
        service.child.kill('SIGUSR2');
        const { code, stderr } = await service.ended;
        assert.is(code, 1);
        assert.match(stderr, 'boom');
        assert.ok(await rig.isSafe());
      }),

    'SVC-040 an end that cannot reach a lung with current is not called safe: exit 1': () =>
      onLungRig(async (rig) => {
        const service = await rig.start();
        await call(service.url, 'POST /api/lung', LONG);
        await rig.turn({ unplug: true });
        const { code, stderr } = await end(service);
        assert.is(code, 1, stderr);
        assert.match(stderr, 'not proven to be stopped (SIGTERM)');
      }),

    'unplugged while it moves: its return finds it stopped first, and nothing goes on by itself': () =>
      onLungRig(async (rig) => {
        const { url } = await rig.start();
        await call(url, 'POST /api/lung', { ...LONG, hold_s: 3600 });
        await rig.turn({ unplug: true });
        await until(async () => (await call(url, 'GET /api/status')).status === 503);
        const mark = rig.mark();
        await rig.turn({ unplug: false });
        await until(async () => (await call(url, 'GET /api/status')).status === 200);
        assert.equal(rig.commands(mark).slice(0, 3), ['89', '86', '8F']);
        assert.not.ok(rig.commands(mark).some((command) => ['85', 'E0', 'E3', '97'].includes(command)));
        const { body } = await call(url, 'GET /api/status');
        assert.equal([body.moving, body.energized, body.hold_remaining_s], [false, false, null]);
        assert.type(body.last_motion_error, 'string');
        assert.equal([body.cycles_done, body.cycles_total], [0, 1]);
        await until(async () => (await call(url, 'GET /health?wait_ms=2500')).body.ok === true);
        assert.is((await call(url, 'POST /api/lung', LONG)).status, 200, 'it can be used again');
      }),

    'a stop that the device refuses is repeated until it is proven, and nothing is started meanwhile': () =>
      onLungRig(async (rig) => {
        const { url } = await rig.start();
        await call(url, 'POST /api/lung', { ...LONG, hold_s: 3600 });
        // Halt, de-energize and safe start are refused, again and again: reads as well, so nothing is proven.
        await rig.turn({ once: Array.from({ length: 40 }, () => ({ stall: true })) });
        const { status, body } = await call(url, 'POST /api/stop');
        assert.equal([status, body.ok], [503, false], JSON.stringify(body));
        const refused = await call(url, 'POST /api/lung', LONG);
        assert.equal([refused.status, refused.body.code], [503, 'device_error']);
        assert.match(String(refused.body.error), 'not proven to be stopped (');
        const health = (await call(url, 'GET /health?wait_ms=2500')).body;
        assert.equal([health.ok, typeof health.stop_pending], [false, 'string']);
        await until(() => rig.isSafe());
        await until(async () => (await call(url, 'GET /health?wait_ms=2500')).body.ok === true);
        assert.equal(((await call(url, 'GET /api/status')).body as Body).moving, false);
      }),
  },
  { timeoutMs: 120_000, atOnce: 4 },
);

test.run();
