import * as assert from 'uvu/assert';
import { systemClock } from '../../../src/lib/clock/clock.ts';
import { suite } from '../../../src/test-kit/suite.ts';
import { end } from '../bench/program.ts';
import { ask, onPumpRig, type PumpRig, type Service, untilWell } from './pump-rig.ts';

const test = suite('svc-pump as a process');

async function running(rig: PumpRig, pump: Service): Promise<void> {
  const { status, body } = await ask(pump, 'POST /api/speed', { power_pct: 40, hold_s: 600 });
  assert.equal([status, body.duty, body.verified, body.bench], [200, 102, true, true]);
  assert.is(await rig.duty(), 102);
  rig.seen();
}

test('SVC-040 the start identifies, then writes duty 0 and disable before all else, and is ready only then', () =>
  onPumpRig(async (rig) => {
    const pump = await rig.pump();
    const writes = rig.seen();
    assert.equal(writes.slice(0, 3), ['duty 0', 'enable 0', 'prescaler 45']);
    assert.ok(!writes.some((write) => write === 'enable 1'));
    const { body } = await ask(pump, 'GET /health?wait_ms=2500');
    assert.equal([body.ok, body.identified, body.freq_hz, body.port], [true, true, 1019, rig.pumpPort]);
  }));

test('SVC-031 a speed is written once; SVC-029 one beyond 100 % is not written at all', () =>
  onPumpRig(async (rig) => {
    const pump = await rig.pump();
    rig.seen();
    await ask(pump, 'POST /api/speed', { power_pct: 20 });
    assert.equal(rig.seen(), ['duty 51', 'drive 51 off', 'enable 1', 'drive 51 on']);
    for (const power_pct of [100.001, -1, '20', null])
      assert.is((await ask(pump, 'POST /api/speed', { power_pct })).status, 422);
    assert.equal(rig.seen(), []);
  }));

test('SVC-040 SIGTERM and SIGINT with the pump running leave the twin off, exit 0', () =>
  onPumpRig(async (rig) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) {
      const pump = await rig.pump();
      await running(rig, pump);
      const { code, stderr } = await end(pump, signal);
      assert.is(code, 0, stderr);
      assert.equal(rig.seen(), ['duty 0', 'drive 0 on', 'enable 0', 'drive 0 off']);
      assert.match(stderr, `stopped (${signal}): duty 0 and disabled by read-back`);
    }
  }));

test('SVC-040 an uncaught error or rejection with the pump running leaves the twin off, exit 1', () =>
  onPumpRig(async (rig) => {
    for (const fault of ['throw new Error("boom")', 'Promise.reject(new Error("boom"))']) {
      const script = encodeURIComponent(`process.on("SIGUSR2",()=>{${fault}})`);
      const pump = await rig.pump({ NODE_OPTIONS: `--import data:text/javascript,${script}` });
      await running(rig, pump);
      pump.child.kill('SIGUSR2');
      const { code, stderr } = await pump.ended;
      assert.is(code, 1, stderr);
      assert.match(stderr, 'boom');
      assert.equal(rig.seen(), ['duty 0', 'drive 0 on', 'enable 0', 'drive 0 off']);
    }
  }));

test('SVC-040 an end that cannot be proven is exit 1 and says so', () =>
  onPumpRig(async (rig) => {
    const pump = await rig.pump();
    await running(rig, pump);
    await rig.turn({ deaf: true });
    const { code, stderr } = await end(pump);
    assert.is(code, 1);
    assert.match(stderr, 'not proven to be stopped (SIGTERM)');
    assert.is(await rig.duty(), 102);
    await rig.turn({ deaf: false });
  }));

test('SVC-040 SVC-026 after kill -9 the pump runs on, and the next start stops it before it is ready', () =>
  onPumpRig(async (rig) => {
    const killed = await rig.pump();
    await running(rig, killed);
    await end(killed, 'SIGKILL');
    assert.is(await rig.duty(), 102, 'no program is left to stop it');
    const next = await rig.pump();
    assert.is(await rig.duty(), 0);
    assert.equal(
      rig.seen().filter((one) => one.startsWith('drive')),
      ['drive 0 on', 'drive 0 off'],
    );
    const { body } = await ask(next, 'GET /api/status');
    assert.equal([body.enabled, body.hold_remaining_s], [false, null]);
  }));

test('SVC-028 a hold without renewal ends with duty 0 and disable on the wire', () =>
  onPumpRig(async (rig) => {
    const pump = await rig.pump();
    await ask(pump, 'POST /api/speed', { power_pct: 40, hold_s: 1 });
    rig.seen();
    await rig.untilStopped();
    assert.equal(rig.seen(), ['duty 0', 'drive 0 on', 'enable 0', 'drive 0 off']);
  }));

test('SVC-028 a service that was frozen beyond the hold stops the pump; a renewal that waited meanwhile is too late', () =>
  onPumpRig(async (rig) => {
    const pump = await rig.pump();
    await ask(pump, 'POST /api/speed', { power_pct: 40, hold_s: 1 });
    pump.child.kill('SIGSTOP');
    const renewal = ask(pump, 'POST /api/hold', { hold_s: 600 });
    await systemClock.sleep(1500);
    assert.is(await rig.duty(), 102);
    rig.seen();
    pump.child.kill('SIGCONT');
    assert.is((await renewal).body.hold_remaining_s, null);
    await rig.untilStopped();
    assert.equal(rig.seen(), ['duty 0', 'drive 0 on', 'enable 0', 'drive 0 off']);
  }));

test('DEV-042 pulled out while it runs and plugged in again: stopped first, and not run again', () =>
  onPumpRig(async (rig) => {
    const pump = await rig.pump();
    await running(rig, pump);
    await rig.turn({ unplugged: true });
    while ((await ask(pump, 'GET /api/status')).status !== 503);
    assert.is(await rig.duty(), 102);
    rig.seen();
    await rig.turn({ unplugged: false });
    await rig.untilStopped();
    assert.equal(rig.seen().slice(0, 4), ['duty 0', 'drive 0 on', 'enable 0', 'drive 0 off']);
    await untilWell(pump);
    const { body } = await ask(pump, 'POST /api/hold', { hold_s: 600 });
    assert.equal([body.enabled, body.hold_remaining_s], [false, null]);
    assert.not.ok(rig.seen().includes('enable 1'));
  }));

test('SVC-025 SVC-026 a second one on the pump is held, answers 409 with the holder, and stops what a killed holder left', () =>
  onPumpRig(async (rig) => {
    const first = await rig.pump();
    await running(rig, first);
    const second = await rig.pump();
    const health = (await ask(second, 'GET /health?wait_ms=2500')).body;
    assert.equal([health.ok, health.status, health.code], [false, 'held', 'held_by_other']);
    for (const [line, body] of [
      ['POST /api/speed', { power_pct: 20 }],
      ['POST /api/stop', {}],
    ] as const) {
      const answer = await ask(second, line, body);
      const { pid, service, port } = answer.body.holder as Record<string, unknown>;
      assert.equal(
        [answer.status, answer.body.code, service, pid],
        [409, 'held_by_other', 'svc-pump', first.pid],
      );
      assert.is(String(port), new URL(first.url).port);
    }
    assert.equal(rig.seen(), []);
    await end(first, 'SIGKILL');
    assert.is(await rig.duty(), 102);
    await rig.untilStopped();
    await untilWell(second);
    assert.is((await ask(second, 'POST /api/speed', { power_pct: 20 })).status, 200);
  }));

test('a refused start ends with 2 and one line that names variable, value and remedy', () =>
  onPumpRig(async (rig) => {
    const cases: readonly (readonly [string[], Record<string, string>, string[]])[] = [
      [[], { SVC_PUMP_SERIAL_PORT: '' }, ['SVC_PUMP_SERIAL_PORT is not set', '/dev/serial/by-id/']],
      [[], { SVC_PUMP_SERIAL_PORT: 'usb:1a86:7523' }, ['SVC_PUMP_SERIAL_PORT = "usb:1a86:7523"']],
      [[], { SVC_HARDWARE_MODE: 'reel' }, ['must be mock or real']],
      [['--port', 'many'], {}, ['--port "many"', '0 to 65535']],
      [[], { SVC_PUMP_PORT: '70000' }, ['SVC_PUMP_PORT "70000"']],
      [['--host', '0.0.0.0'], {}, ['SVC_API_TOKEN is not set']],
      [['--fast'], {}, ["unknown option '--fast'"]],
    ];
    for (const [args, env, parts] of cases) {
      const { code, stdout, stderr } = await rig.launch(args, env).ended;
      assert.equal([code, stdout, stderr.trim().split('\n').length], [2, '', 1], stderr);
      for (const part of parts) assert.ok(stderr.includes(part), `${stderr} | ${part}`);
    }
    assert.equal(rig.seen(), []);
  }));

test('SVC-001 SVC-002 port 49055 on 127.0.0.1 by default; the flag beats the variable; a wide bind needs consent', () =>
  onPumpRig(async (rig) => {
    const { code, stdout } = await rig.launch(['--help']).ended;
    assert.is(code, 0);
    assert.match(stdout, 'SVC_PUMP_PORT (default: 49055)');
    assert.match(stdout, 'SVC_PUMP_HOST (default: 127.0.0.1)');
    const pump = await rig.pump({ SVC_PUMP_PORT: '1' });
    assert.match(pump.url, /^http:\/\/127\.0\.0\.1:\d+$/);
    assert.is.not(new URL(pump.url).port, '1');
    const wide = rig.launch(['--port', '0', '--host', '0.0.0.0'], {
      SVC_ALLOW_INSECURE: '1',
      SVC_HARDWARE_MODE: 'mock',
    });
    await wide.until('"ready":true');
    const line = wide
      .text()
      .split('\n')
      .find((one) => one.includes('"ready":true'));
    const { port } = JSON.parse(line ?? '') as { port: number };
    assert.is(
      (await ask({ url: `http://127.0.0.1:${port}` }, 'GET /health?wait_ms=2500')).body.insecure,
      true,
    );
  }));

test.run();
