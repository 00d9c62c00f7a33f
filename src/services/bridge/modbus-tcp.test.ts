import * as assert from 'uvu/assert';
import { replyTimes } from '../../rig/hardware/real/modbus-line.ts';
import { startTestBridge, type TestBridge } from '../../test-kit/services/bridge.ts';
import { type BenchRig, openBenchRig } from '../../test-kit/services/rig.ts';
import { suite } from '../../test-kit/suite.ts';

const test = suite('bridge with valves on Modbus TCP');
let rig: BenchRig;
let bridge: TestBridge;

test.before(async () => {
  rig = await openBenchRig();
  const [host, port] = rig.bench.addresses['modbus-tcp'].split(':');
  const yaml = `
plugins:
  modbus-io:
    connection_type: modbus-tcp
    connection_params: {host: "${host}", port: ${port}}
    timeout: 0.4
    retry_count: 0
`;
  bridge = await startTestBridge({ yaml, env: { SVC_HARDWARE_MODE: 'real' } });
});

test.after(async () => {
  await bridge.shutDown('test_end');
  await rig.close();
});

test.before.each(() => rig.bench.reset());

test('SVC-032 a valve is switched over TCP, echo and read-back agree, and the twin shows it', async () => {
  const { status, body } = await bridge.call('POST /api/v1/hardware/valve/valve-3?value=true');
  assert.equal([status, body.verified], [200, true]);
  assert.is(rig.bench.outputs.coils[2], true);
  assert.is((await bridge.call('POST /api/v1/hardware/safe-state?reason=preparation')).status, 200);
  assert.not.ok(rig.bench.outputs.coils.includes(true));
});

test('DEV-046 SVC-009 a server on this machine is not a device: what it says is marked as bench', async () => {
  const { body } = await bridge.call('GET /api/v1/hardware/valves');
  assert.is(body.bench, true);
});

test('`timeout` and `retry_count` of the plugin reach the driver: one attempt, and it ends in time', async () => {
  await rig.bench.setKnobs('modbus-io', { silent: true });
  const { status, body } = await bridge.call('GET /api/v1/hardware/valves');
  assert.equal([status, body.code], [504, 'device_timeout']);
  assert.match(String(body.detail), /^modbus-io: (?!modbus-io)/);
  assert.match(String(body.detail), 'was not answered within 320 ms');
  // How often it was asked cannot be counted on the wire: the outputs are watched beside it.
  const plugin = bridge.bridge.config.plugins.find(({ id }) => id === 'modbus-io');
  assert.equal(plugin && replyTimes([plugin]), { replyTimeoutMs: 320, totalMs: 400, attempts: 1 });
});

test.run();
