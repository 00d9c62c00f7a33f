import * as assert from 'uvu/assert';
import { startTestBridge } from '../../test-kit/services/bridge.ts';
import { openBenchRig } from '../../test-kit/services/rig.ts';
import { suite } from '../../test-kit/suite.ts';

const test = suite('device metrics of the bridge');

test('SVC-007 /metrics reports which devices are there and what failed, without device traffic', async () => {
  const rig = await openBenchRig();
  try {
    const bridge = await rig.start();
    const metrics = async () => String((await bridge.call('GET /metrics')).body.text);
    const trafficBefore = rig.bench.trace().length;
    const before = await metrics();
    assert.is(rig.bench.trace().length, trafficBefore);
    assert.match(before, 'svc_device_up{device="modbus-io"} 1');
    assert.not.ok(before.includes('svc_device_errors_total'));
    await rig.bench.setKnobs('modbus-io', { silent: true });
    const { status, body } = await bridge.call('GET /api/v1/hardware/valves');
    assert.is(status, 504);
    assert.match(await metrics(), `svc_device_errors_total{device="modbus-io",code="${body.code}"} 1`);
    await rig.bench.setKnobs('modbus-io', { silent: false });
  } finally {
    await rig.close();
  }
});

test('a mock rig has no devices to tell of', async () => {
  const bridge = await startTestBridge();
  const { body } = await bridge.call('GET /metrics');
  assert.match(String(body.text), 'svc_hardware_mode{mode="mock"} 1');
  assert.not.ok(String(body.text).includes('svc_device_up'));
  await bridge.shutDown('test');
});

test.run();
