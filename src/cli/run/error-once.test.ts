import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { SvcctlProcess } from '../../test-kit/cli/svcctl-process.ts';
import { startTestBridge, type TestBridge } from '../../test-kit/services/bridge.ts';
import { type Body, startTestPump, type TestPump } from '../../test-kit/services/pump.ts';
import { suite } from '../../test-kit/suite.ts';

const test = suite('one error through all layers');
const svcctl = new SvcctlProcess();
const folder = mkdtempSync(join(tmpdir(), 'svc-absent-'));
/** Ports that nothing is plugged into. */
const pumpPort = join(folder, 'pump');
const valvePort = join(folder, 'valves');
let pump: TestPump;
let bridge: TestBridge;
/** Of the pump service, while no bridge held it. */
let refusal: Body;
test.before(async () => {
  await svcctl.build();
  pump = await startTestPump({ SVC_HARDWARE_MODE: 'real', SVC_PUMP_SERIAL_PORT: pumpPort });
  refusal = (await pump.call('POST /api/speed', { power_pct: 20 })).body;
  const yaml = `plugins:
  pump-motor: {connection_type: http, connection_params: {base_url: "${pump.url}"}}
  modbus-io: {connection_type: modbus-rtu, connection_params: {serial_port: "${valvePort}"}}
`;
  bridge = await startTestBridge({ yaml, env: { SVC_HARDWARE_MODE: 'real' } });
});
test.after(async () => {
  await bridge.shutDown('test_end');
  await pump.shutDown('test_end');
  svcctl.dispose();
  rmSync(folder, { recursive: true });
});

const count = (text: string, part: string): number => text.split(part).length - 1;

/** The port and the reason stand in the sentence once, and no name stands before itself. */
function tellsOnce(sentence: unknown, port: string, device: string): void {
  const text = String(sentence);
  assert.is(count(text, port), 1, text);
  assert.is(count(text, 'cannot open'), 1, text);
  assert.is(count(text, 'no such file or directory'), 1, text);
  assert.ok(count(text, device) <= 1, text);
}

test('LANG-083 a missing port stands once in what its service answers', async () => {
  const { body: health } = await pump.call('GET /health?wait_ms=2500');
  tellsOnce(health.message, pumpPort, 'pump-motor');
  tellsOnce(health.stop_pending, pumpPort, 'pump-motor');
  tellsOnce(refusal.detail, pumpPort, 'pump-motor');
});

test('LANG-083 a missing port stands once in what the bridge answers', async () => {
  const { body } = await bridge.call('GET /api/v1/hardware/health');
  const components = body.components as Record<string, { message: string }>;
  tellsOnce(components['pump-motor']?.message, pumpPort, 'pump-motor');
  tellsOnce(components['modbus-io']?.message, valvePort, 'modbus-io');
  tellsOnce(
    (await bridge.call('POST /api/v1/hardware/pump?power_pct=0')).body.detail,
    pumpPort,
    'pump-motor',
  );
  // Two steps fail for the one reason that the valves have no port.
  const { detail } = (await bridge.call('POST /api/v1/hardware/safe-state?reason=preparation')).body;
  assert.is(count(String(detail), valvePort), 1, String(detail));
  assert.match(String(detail), 'valves_off, valves_verify: modbus-io: cannot open');
});

test('LANG-083 a missing port stands once in what svcctl says', async () => {
  svcctl.write('p.oql', "GOAL:\n  SET NAME 'g'\n  SET pump-main 10 %\n  SET pump-main 0 %\n");
  const { code, stdout, stderr } = await svcctl.run([
    'p.oql',
    '--mode',
    'execute',
    '--firmware-url',
    bridge.url,
  ]);
  assert.is(code, 3, stdout + stderr);
  const told = `${stdout}${stderr}`.split('\n').filter((line) => line.includes(folder));
  assert.is(told.length, 1, stdout + stderr);
  tellsOnce(told[0], pumpPort, 'pump-motor');
});

test.run();
