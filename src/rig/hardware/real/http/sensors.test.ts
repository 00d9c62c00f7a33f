import * as assert from 'uvu/assert';
import { SteppedClock } from '../../../../lib/clock/stepped-clock.ts';
import { onSource, refusal, type TestSource } from '../../../../test-kit/rig/source.ts';
import { suite } from '../../../../test-kit/suite.ts';
import type { VoltageDevice } from '../../rig-device.ts';
import { httpSensors } from './sensors.ts';

const test = suite('sensor ADC behind its service');
const PATH = '/api/v1/hardware/sensor/ai01';
type Json = Record<string, unknown>;

interface World extends TestSource {
  clock: SteppedClock;
  device: VoltageDevice;
  says(changed?: Json): void;
  healthSays(body: unknown): Promise<Json>;
}

const onSensors = (work: (world: World) => Promise<void>) =>
  onSource(async (given) => {
    const clock = new SteppedClock();
    const device = httpSensors({ baseUrl: given.url, token: undefined, clock, timeoutMs: 2000 });
    const says = (changed: Json = {}) => {
      const good = {
        sensor_id: 'ai01',
        value: 0.635,
        unit: 'V',
        ok: true,
        simulated: false,
        bench: false,
        adapter: 'sensor-adc',
        physical_input: 'ADS1115.AIN0',
        raw: 5080,
        saturated: false,
        observed_at: new Date(clock.now()).toISOString(),
        age_ms: 4,
        source: '/dev/i2c-1#0x48',
      };
      given.answers.set(PATH, { body: { ...good, ...changed } });
    };
    const healthSays = async (body: unknown) => {
      given.answers.set('/health', { body });
      return { ...(await device.component.check(new AbortController().signal)) };
    };
    says();
    await work({ ...given, clock, device, says, healthSays });
    await device.close();
  });

test('the reading passes through, with the age that the service reports', () =>
  onSensors(async ({ device, clock, says }) => {
    const expected = {
      value: 0.635,
      unit: 'V',
      raw: 5080,
      saturated: false,
      observedAt: clock.now(),
      adapter: 'sensor-adc',
      physicalInput: 'ADS1115.AIN0',
      source: '/dev/i2c-1#0x48',
      bench: false,
      ageMs: 4,
    };
    assert.equal(await device.port.read(0), expected);
    assert.is(device.port.origin.bench, false);
    says({ bench: true, saturated: true });
    const twin = await device.port.read(0);
    assert.equal([twin.bench, twin.saturated, device.port.origin.bench], [true, true, true]);
  }));

const FLAWS: [Json, RegExp][] = [
  [{ stale: true }, /stale: the source reports an old value/],
  [{ valid: false }, /valid: false/],
  [{ quality: 'bad' }, /quality is "bad", not good/],
  [{ saturated: 'true' }, /saturated is "true", neither true nor false/],
  [{ over_range: 1 }, /over_range is 1, neither true nor false/],
  [{ age_ms: '4' }, /age_ms "4", no age/],
  [{ bench: 'true' }, /bench is "true", neither true nor false/],
  [{ verified: null }, /verified is null, neither true nor false/],
];

test('LANG-065 the bridge does not lose what a service says of its own reading', () =>
  onSensors(async ({ device, says }) => {
    for (const [flaw, why] of FLAWS) {
      says(flaw);
      assert.match(await refusal(device.port.read(0)), /^corrupt_response/);
      assert.match(await refusal(device.port.read(0)), why);
    }
    says({ verified: false });
    assert.is((await device.port.read(0)).verified, false);
    says({ over_range: true });
    assert.is((await device.port.read(0)).saturated, true);
    says({ simulated: 'true' });
    assert.match(await refusal(device.port.read(0)), /^sensor_source_simulated/);
  }));

test('SVC-009 a sensor service that simulates is refused in real mode', () =>
  onSensors(async ({ device, says, healthSays }) => {
    for (const mark of [{ simulated: true }, { mock_mode: true }]) {
      says(mark);
      assert.match(await refusal(device.port.read(0)), /^sensor_source_simulated: .*SVC_HARDWARE_MODE=real/);
    }
    const { status, compatible, code, message } = await healthSays({ ok: true, mock_mode: true });
    assert.equal([status, compatible, code], ['incompatible', false, 'sensor_source_simulated']);
    assert.match(String(message), 'is in mock mode');
  }));

test('an answer that is not the reading asked for is corrupt, an old one an error; no value comes of either', () =>
  onSensors(async ({ device, says, answers, clock }) => {
    const cases: [Json, RegExp][] = [
      [{ value: null }, /^corrupt_response: .*value null, no finite number; check that the address/],
      [{ value: '0.6' }, /^corrupt_response: .*value "0.6"/],
      [{ value: undefined }, /^corrupt_response: .*value undefined/],
      [{ unit: 'mV' }, /^corrupt_response: .*unit "mV" where "V" is wanted/],
      [{ sensor_id: 'ai02' }, /^corrupt_response: .*for sensor "ai02" where "ai01" was asked/],
      [{ ok: undefined }, /^corrupt_response: .*without ok: true/],
      [{ ok: 'yes' }, /^corrupt_response: .*without ok: true/],
      [{ observed_at: null }, /^corrupt_response: .*without observed_at/],
      [{ age_ms: 1001 }, /^device_error: .*1001 ms old/],
      [{ observed_at: new Date(clock.now() - 1001).toISOString() }, /^device_error: .*1001 ms old/],
      [{ ok: false, code: 'device_timeout', error: 'slow' }, /^device_timeout: sensor-adc: slow$/],
    ];
    for (const [changed, expected] of cases) {
      says(changed);
      assert.match(await refusal(device.port.read(0)), expected);
    }
    answers.set(PATH, {
      status: 409,
      body: { ok: false, code: 'held_by_other', error: 'i2c-1-0x48 is held' },
    });
    assert.is(await refusal(device.port.read(0)), 'held_by_other: sensor-adc: i2c-1-0x48 is held');
    assert.match(await refusal(device.port.read(1)), /^device_error: .*no such path/, 'a 404 of the service');
  }));

test('health reports what the service said: ok with the chip, held with the holder, timeout, error', () =>
  onSensors(async ({ healthSays, url, answers, device }) => {
    const ok = await healthSays({ ok: true, message: 'ready', bus: 1, address: '0x48' });
    assert.equal(
      [ok.status, ok.compatible, ok.message, ok.endpoint, ok.chip],
      ['ok', true, 'ready', url, { bus: 1, address: '0x48', name: 'ADS1115' }],
    );
    const holder = { service: 'svc-other', pid: 7, port: null, since: '2025-01-15T10:00:00.000Z' };
    const held = { ok: false, status: 'held', code: 'held_by_other', message: 'i2c-1-0x48 is held', holder };
    const told = await healthSays(held);
    assert.equal([told.status, told.code, told.holder], ['held', 'held_by_other', holder]);
    const denied = await healthSays({ ok: false, status: 'permission_denied', code: 'permission_denied' });
    assert.equal(
      [denied.status, denied.code, denied.message],
      ['error', 'permission_denied', 'permission_denied'],
    );
    assert.is((await healthSays({ ok: false, status: 'timeout', message: 'slow' })).status, 'timeout');
    const foreign = await healthSays({ hello: 'world' });
    assert.equal([foreign.status, foreign.code], ['incompatible', 'corrupt_response']);
    answers.set('/health', { status: 401, body: { ok: false, code: 'unauthorized', error: 'token' } });
    const refused = await device.component.check(new AbortController().signal);
    assert.equal([refused.status, refused.code], ['error', 'device_error']);
  }));

test('between open and close a service that is not well is asked every 4 s, one that is well every 20 s', () =>
  onSensors(async ({ device, clock, answers, asked, says }) => {
    const { component } = device;
    const untilKnown = async (status: string) => {
      while (component.known().status !== status) await new Promise((done) => setImmediate(done));
    };
    assert.is(component.known().status, 'error');
    answers.set('/health', { body: { ok: true } });
    await device.open();
    assert.is(component.known().status, 'ok');
    answers.set('/health', { body: { ok: false, message: 'gone' } });
    await clock.advance(19_999);
    assert.is(asked.length, 1);
    await clock.advance(1);
    await untilKnown('error');
    assert.is(component.known().message, 'gone');
    answers.set('/health', { body: { ok: true } });
    await clock.advance(4000);
    await untilKnown('ok');
    answers.set(PATH, { status: 503, body: { ok: false, code: 'device_unavailable', error: 'no chip' } });
    await refusal(device.port.read(0));
    assert.is(component.known().status, 'error', 'a reading that failed is known at once');
    says();
    await clock.advance(4000);
    await untilKnown('ok');
    await device.close();
    const before = asked.length;
    await clock.advance(60_000);
    assert.equal([asked.length, clock.pending], [before, 0]);
  }));

test('a service that hangs does not hold up the start of the rig', () =>
  onSensors(async ({ device, clock, answers }) => {
    answers.set('/health', 'silence');
    const opening = device.open();
    await clock.advance(500);
    await opening;
    assert.is(device.component.known().status, 'error');
  }));

test.run();
