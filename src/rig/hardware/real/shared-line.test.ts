import * as assert from 'uvu/assert';
import { systemClock } from '../../../lib/clock/clock.ts';
import { acquireLock, LockHeldError } from '../../../lib/lock/lock.ts';
import { serialLockKey } from '../../../lib/lock/lock-key.ts';
import { openSharedLine, sharedLineYaml } from '../../../test-kit/rig/shared-line.ts';
import { suite } from '../../../test-kit/suite.ts';
import { mergeConfig } from '../../configuration/load-config.ts';
import { parseConfig } from '../../configuration/read-file.ts';
import { runSafeState } from '../../safe-state/safe-state.ts';
import { ModbusLines } from './modbus-line.ts';
import { realDevices } from './open-devices.ts';

const test = suite('devices on one line');
const identity = () => ({ service: 'test', pid: process.pid, port: null, since: '' });
const onReturn = () => {};

let line: Awaited<ReturnType<typeof openSharedLine>>;
let devices: ReturnType<typeof realDevices>;

test.before.each(async () => {
  line = await openSharedLine();
});
test.after.each(async () => {
  await Promise.all([devices.valves.close(), devices.pump.close()]);
  await line.close();
});

async function open(settings = '', leave: (yaml: string) => string = (yaml) => yaml): Promise<void> {
  const { plugins } = mergeConfig(parseConfig(leave(sharedLineYaml(line.link, settings)), 'svc.yaml'), {});
  devices = realDevices({ plugins, clock: systemClock, identity, onReturn, onLost: () => {} });
  await Promise.all([devices.valves.open(), devices.pump.open()]);
}

const check = (component: (typeof devices.valves.components)[number] | undefined) =>
  component?.check(new AbortController().signal);

const safeState = () => {
  const idle = async () => ({ status: 'not_configured', verified: false, detail: '' }) as const;
  const steps = { lung_halt: idle, lung_deenergize: idle, ...devices.pump.steps, ...devices.valves.steps };
  return runSafeState(steps, { clock: systemClock, reason: 'test', mock: false });
};

const on = (coils: boolean[]) => coils.flatMap((isOn, coil) => (isOn ? [coil] : []));

test('DEV-054 two valve boards and a pump share one port, and each executes its own commands', async () => {
  await open();
  for (const component of [...devices.valves.components, devices.pump.component])
    assert.is((await check(component))?.status, 'ok', component.id);
  await devices.valves.port.set(1, true);
  await devices.valves.port.set(10, true);
  await devices.pump.port.setPower(20);
  assert.equal([on(line.first.coils), on(line.second.coils)], [[1], [2]]);
  assert.is(line.pump.output.duty, 51);
  assert.equal(on((await devices.valves.port.read()).map((state) => state === true)), [1, 10]);
});

test('DEV-054 work of all devices at once is one transaction after the other, without an error', async () => {
  await open();
  const { valves, pump } = devices;
  const work = Array.from({ length: 24 }, (_, n) =>
    n % 3 === 0 ? pump.port.read() : n % 3 === 1 ? valves.port.read() : valves.port.set(8 + (n % 8), false),
  );
  await Promise.all(work);
  assert.equal(
    [line.first, line.second, line.pump].map(({ slave }) => slave.collisions),
    [0, 0, 0],
  );
});

test('SVC-033 a device is asked again behind each safe-state command that interrupts its health, and is healthy', async () => {
  await open();
  const { valves, pump } = devices;
  for (const pauseMs of [0, 5, 15])
    for (const component of [...valves.components, pump.component]) {
      let isClosing = true;
      const closings = (async () => {
        for (let n = 0; n < 24; n++) {
          await valves.port.set(n % 16, false);
          await systemClock.sleep(pauseMs);
        }
        isClosing = false;
      })();
      do {
        const health = await check(component);
        assert.equal([health?.status, health?.code], ['ok', null], `${component.id}: ${health?.message}`);
      } while (isClosing);
      await closings;
    }
});

test('DEV-054 the safe state closes the valves of both boards and reads both back', async () => {
  await open();
  await devices.valves.port.set(0, true);
  await devices.valves.port.set(15, true);
  await devices.pump.port.setPower(50);
  const report = await safeState();
  assert.is(report.outcome, 'safe', JSON.stringify(report.steps));
  assert.equal([on(line.first.coils), on(line.second.coils), line.pump.output.duty], [[], [], 0]);
});

for (const [silent, other] of [
  ['first', 'second'],
  ['second', 'first'],
] as const) {
  test(`DEV-054 the ${silent} board falls silent: the valves of the ${other} close all the same, and the safe state is not safe`, async () => {
    await open();
    await devices.valves.port.set(0, true);
    await devices.valves.port.set(8, true);
    line[silent].knobs.patch({ silent: true });
    const report = await safeState();
    assert.equal(on(line[other].coils), []);
    assert.is(report.steps.find(({ name }) => name === 'valves_off')?.ok, false);
    // The next one asks the board first that answered last.
    const again = await safeState();
    assert.is(again.ok, false);
    line[silent].knobs.patch({ silent: false });
    while (!(await safeState()).ok) await systemClock.sleep(50);
    assert.equal([on(line.first.coils), on(line.second.coils)], [[], []]);
  });
}

test('DEV-054 a valve of the second board that stays open fails the verification by its own name', async () => {
  await open();
  await devices.valves.port.set(9, true);
  line.second.knobs.patch({ coil_stuck: [1] });
  const report = await safeState();
  const verify = report.steps.find(({ name }) => name === 'valves_verify');
  assert.is(verify?.ok, false);
  assert.match(String(verify?.detail), 'valve-10');
});

test('DEV-054 a line that another program holds fails the safe state with the holder, so that a guard tries again', async () => {
  const held = await acquireLock({ key: serialLockKey(line.link), identity });
  await open();
  const step = () => devices.valves.steps.valves_off(new AbortController().signal).catch((error) => error);
  assert.instance(await step(), LockHeldError);
  await held.release();
  assert.is((await step()).status, 'done');
  assert.equal(await devices.valves.port.read(), new Array(16).fill(false));
});

test('DEV-054 a pulled line is one loss for all, and after the re-plug all work again', async () => {
  await open();
  await line.socket.want({ plugged: false });
  while ((await check(devices.valves.components[1]))?.status === 'ok') await systemClock.sleep(5);
  await line.socket.want({ plugged: true });
  const { components } = devices.valves;
  for (const component of [...components, devices.pump.component])
    while ((await check(component))?.status !== 'ok') await systemClock.sleep(20);
  await devices.valves.port.set(12, true);
  assert.equal(on(line.second.coils), [4]);
});

test('DEV-054 a board that is left out has no states, and the other one is read', async () => {
  await open('', (yaml) => yaml.replace('modbus-io-2: {', 'modbus-io-2: {enabled: false, '));
  const states = await devices.valves.port.read();
  assert.equal(states, [...new Array(8).fill(false), ...new Array(8).fill(undefined)]);
  assert.is((await safeState()).outcome, 'safe');
});

test('DEV-054 what a line says of its times reaches the line, and its devices share one', async () => {
  await open();
  const { plugins } = mergeConfig(
    parseConfig(sharedLineYaml('/dev/ttyS9', 'turnaround_ms: 900, quiet_ms: 1000'), 'svc.yaml'),
    {},
  );
  const lines = new ModbusLines();
  const shared = plugins.map((plugin) => {
    if (plugin.connection?.type !== 'modbus-rtu') throw new Error(`${plugin.id} is on no line`);
    const port = { ...plugin.connection, serialPort: line.link };
    return lines.lineOf(port, plugins, plugin, systemClock);
  });
  assert.is(new Set(shared).size, 1);
  await Promise.all([devices.valves.close(), devices.pump.close()]);
  const { value, release } = await shared[0]!.take();
  const { turnaroundMs, silenceMs } = value.line.timing;
  await release();
  assert.is(turnaroundMs + silenceMs, 1000);
});

test('DEV-058 an RS-485 mode that the port does not have is reported in the health of each device on it', async () => {
  await open('rs485: {de: rts}');
  for (const component of devices.valves.components) {
    const health = await check(component);
    assert.is(health?.status, 'error');
    assert.match(String(health?.message), 'its driver has no such mode (ENOTTY); remove rs485');
  }
});

test.run();
