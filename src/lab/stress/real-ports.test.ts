import * as assert from 'uvu/assert';
import { suite } from '../../test-kit/suite.ts';
import { stressRealPorts } from './real-ports.ts';

const test = suite('stress on real ports');

test('DEV-042 DEV-043 valves and both converters under faults and pulled plugs: no wrong value, no descriptor left behind', async () => {
  const report = await stressRealPorts({ seconds: 8, seed: 5 });
  assert.equal(report.unexpected, []);
  assert.is(report.wrongValues, 0);
  assert.is(report.falseConfirmations, 0);
  assert.is(report.unrecovered, 0);
  assert.equal(Object.keys(report.answers).sort(), ['modbus-io', 'uart', 'usbhid']);
  // The faults were really there.
  assert.ok(Object.values(report.failures).reduce((sum, count) => sum + count, 0) > 0);
  assert.is(report.after.descriptors, report.before.descriptors);
  assert.ok(report.after.resources <= report.before.resources);
});

test.run();
