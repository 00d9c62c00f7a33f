import * as assert from 'uvu/assert';
import { Plant } from '../../bench/plant/index.ts';
import { SteppedClock } from '../../lib/clock/stepped-clock.ts';
import { seededRandom } from '../../lib/random/seeded-random.ts';
import { MockRig } from '../../rig/hardware/mock/mock-rig.ts';
import type { Component } from '../../rig/hardware/ports.ts';
import { startTestBridge } from '../../test-kit/services/bridge.ts';
import { suite } from '../../test-kit/suite.ts';
import { hardwareHealth } from './hardware-health.ts';

const test = suite('hardware health with probes that do not end');

/** A probe that nothing ends. */
const hanging = (id: string, path: string | null): Component => ({
  id,
  path,
  endpoint: 'there',
  check: () => new Promise(() => {}),
  known: () => ({ status: 'ok', message: 'open' }),
});

test('SVC-033 SVC-034 the IO module has 2.0 s, every other plugin 2.5 s, all at the same time', async () => {
  const clock = new SteppedClock();
  const plant = new Plant({ clock, random: seededRandom(1) });
  const components = [hanging('modbus-io', '/dev/ttyACM1'), hanging('pump-motor', null)];
  const running = await startTestBridge({
    clock,
    buildRig: () => Object.assign(new MockRig({ plant, clock, plugins: [] }), { components }),
  });
  let isDone = false;
  const answer = hardwareHealth(running.bridge).finally(() => {
    isDone = true;
  });
  await clock.advance(2499);
  assert.is(isDone, false);
  await clock.advance(1);
  const told = (await answer).components;
  const { 'modbus-io': modbus, 'pump-motor': pump } = told;
  assert.equal(
    [modbus?.latency_ms, modbus?.status, modbus?.code, modbus?.message],
    [
      2000,
      'error',
      'modbus_no_response',
      'read_coils timed out; USB-serial adapter visible, RTU module did not answer',
    ],
  );
  assert.equal(
    [pump?.latency_ms, pump?.status, pump?.message],
    [2500, 'timeout', 'no answer within 2500 ms'],
  );
  const ending = running.shutDown('test_end');
  while (running.bridge.safeState.running) await clock.advance(100);
  await clock.advance(1000);
  await ending;
});

test.run();
