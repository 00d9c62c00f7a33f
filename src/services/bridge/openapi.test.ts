import * as assert from 'uvu/assert';
import { runGeneratedClient, validDescription } from '../../test-kit/http/openapi.ts';
import { startTestBridge, type TestBridge } from '../../test-kit/services/bridge.ts';
import { suite } from '../../test-kit/suite.ts';

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

test('SVC-062 a client of openapi-fetch drives a lease, an actuation, a batch and an abort', async () => {
  const printed = await runGeneratedClient(
    bridge.url,
    `const taken = await client.POST('/api/v1/lease', { body: { owner: 'client', ttl_ms: 5000 } });
     if (!taken.data) throw new Error(taken.error.detail);
     const lease: string = taken.data.lease_id;
     const id = { path: { id: 'valve-3' }, query: { value: true } };
     const refused = await client.POST('/api/v1/hardware/valve/{id}', { params: id });
     const rule: string | undefined = refused.error?.rule;
     const owner: string | undefined = refused.error?.owner;
     const params = { ...id, header: { 'x-lease-id': lease } };
     const opened = await client.POST('/api/v1/hardware/valve/{id}', { params });
     const state: [string, boolean] | undefined = opened.data && [opened.data.valve_id, opened.data.value];
     const batch = await client.GET('/api/v1/hardware/sensors/batch', {
       params: { query: { sensor_ids: 'ai01,ai02' } },
     });
     const reading = batch.data?.sensors.ai01;
     const volts: number | null = reading?.ok ? reading.value : null;
     const safe = await client.POST('/api/v1/hardware/safe-state');
     const outcome: 'safe' | 'simulated' | 'partial' | 'failed' | undefined = safe.data?.outcome;
     const renewed = await client.POST('/api/v1/lease/{id}/renew', { params: { path: { id: lease } } });
     const code: string | undefined = renewed.error?.code;
     const cleared = await client.POST('/api/v1/hardware/operator-stop/clear', { params: { query: { by: 'client' } } });
     const inForce: boolean = cleared.data?.operator_stop !== null;
     console.log(JSON.stringify({ rule, owner, state, volts, outcome, status: renewed.response.status, code, inForce }));`,
  );
  const { volts, ...rest } = JSON.parse(printed);
  assert.type(volts, 'number');
  assert.equal(rest, {
    rule: 'lease',
    owner: 'client',
    state: ['valve-3', true],
    outcome: 'simulated',
    status: 409,
    code: 'operator_stop',
    inForce: false,
  });
});

test('SVC-062 a program that reads a member which no answer has does not compile', async () => {
  const wrong = (program: string) => runGeneratedClient(bridge.url, program).catch(String);
  assert.match(
    await wrong("const { data } = await client.GET('/api/v1/lease'); console.log(data?.holder);"),
    "Property 'holder' does not exist",
  );
});

test.run();
