import * as assert from 'uvu/assert';
import { runGeneratedClient, validDescription } from '../../lib/http/testing-openapi.ts';
import { suite } from '../../lib/testing/suite.ts';
import { startTestBridge, type TestBridge } from './testing-bridge.ts';

const test = suite('openapi.json of the bridge');
let bridge: TestBridge;

test.before(async () => {
  bridge = await startTestBridge();
});

test.after(async () => {
  await bridge.shutDown('test');
});

test('SVC-007 the description of the bridge is valid OpenAPI 3.1', async () => {
  const { paths } = await validDescription(bridge.url);
  assert.ok('/api/v1/hardware/valve/{id}' in (paths as object));
});

test('SVC-007 a client made from it is typed, and reads the volts of a sensor', async () => {
  const printed = await runGeneratedClient(
    bridge.url,
    `const reading = await get('/api/v1/hardware/sensor/{id}', { id: 'ai01' });
     const volts: number = reading.value;
     const unit: 'V' = reading.unit;
     const simulated: boolean = reading.simulated;
     console.log(JSON.stringify({ volts, unit, simulated }));`,
  );
  const { body } = await bridge.call('GET /api/v1/hardware/sensor/ai01');
  assert.equal(JSON.parse(printed), { volts: body.value, unit: 'V', simulated: true });
  assert.type(body.value, 'number');
});

test.run();
