import * as assert from 'uvu/assert';
import { SteppedClock } from '../../../../lib/clock/stepped-clock.ts';
import { onSource, refusal, type TestSource } from '../../../../test-kit/rig/source.ts';
import { suite } from '../../../../test-kit/suite.ts';
import { AdcSource } from './adc-source.ts';

const test = suite('voltages by adc_map');
const ENDPOINT = '/api/v1/adc/1';
type Json = Record<string, unknown>;

interface World extends TestSource {
  clock: SteppedClock;
  source: AdcSource;
  /** What the endpoint answers: a good item of the USB chip, with `reading` and `item` changed. */
  says(reading?: Json, item?: Json): void;
  /** ISO time of now, `ms` later. */
  at(ms?: number): string;
}

const onAdc = (work: (world: World) => Promise<void>) =>
  onSource(async (given) => {
    const clock = new SteppedClock();
    const map = {
      device: 'usb-adc-usbhid',
      transport: 'http' as const,
      baseUrl: given.url,
      channels: { ai01: { endpoint: ENDPOINT, pin: 'G1', unit: 'V' as const } },
    };
    const at = (ms = 0) => new Date(clock.now() + ms).toISOString();
    const source = new AdcSource({ map, token: 'a-token-of-the-rig', clock });
    const says = (reading: Json = {}, item: Json = {}) => {
      const good = {
        channel: 1,
        input_name: 'G1',
        adapter: 'usb-adc-usbhid',
        physical_input: 'MCP2221A.G1',
        raw_10bit: 197,
        volts: 0.634863,
        saturated: false,
        observed_at: at(),
        simulated: false,
        bench: false,
      };
      given.answers.set(ENDPOINT, {
        body: { ok: true, unit: 'V', ...good, reading: { ...good, ...reading }, ...item },
      });
    };
    says();
    await work({ ...given, clock, source, says, at });
  });

test('the reading passes through with the names of the source, by one authorized request', () =>
  onAdc(async ({ source, url, asked, clock }) => {
    assert.equal(await source.read('ai01'), {
      value: 0.634863,
      unit: 'V',
      raw: 197,
      saturated: false,
      observedAt: clock.now(),
      adapter: 'usb-adc-usbhid',
      physicalInput: 'MCP2221A.G1',
      source: url + ENDPOINT,
      bench: false,
      ageMs: 0,
    });
    assert.equal(asked, [`GET ${ENDPOINT} Bearer a-token-of-the-rig`]);
  }));

test('SVC-018 only a finite reading.volts of an item whose ok is not false is used', () =>
  onAdc(async ({ source, says, clock, answers }) => {
    const cases: [Json, Json, string][] = [
      [{}, { ok: false, code: 'device_timeout', error: 'silent' }, 'device_timeout: sensor-adc: silent'],
      [{}, { ok: false, code: 'bank_saturated', error: 'full' }, 'bank_saturated: sensor-adc: full'],
      [{}, { ok: false }, 'device_error: sensor-adc: status 200'],
      [{ volts: null }, {}, 'reading.volts null, no finite number'],
      [{ volts: '0.6' }, {}, 'reading.volts "0.6", no finite number'],
      [{ volts: undefined }, { volts: 0.6 }, 'reading.volts undefined, no finite number'],
      [{}, { reading: undefined, volts: 0.6 }, 'without a reading'],
      [{}, { reading: null }, 'without a reading'],
      [{}, { reading: [] }, 'no finite number'],
      [{ observed_at: undefined }, {}, 'without observed_at'],
      [{ observed_at: 'yesterday' }, {}, 'without observed_at'],
    ];
    for (const [reading, item, expected] of cases) {
      await clock.advance(4000);
      says(reading, item);
      const told = await refusal(source.read('ai01'));
      assert.ok(told.includes(expected), `${told} | ${expected}`);
    }
    await clock.advance(4000);
    answers.set(ENDPOINT, {
      body: '{"ok":true,"reading":{"volts":1e999,"observed_at":"2025-01-01T00:00:00Z"}}',
    });
    assert.match(await refusal(source.read('ai01')), /^corrupt_response: .*no finite number/);
    await clock.advance(4000);
    answers.set(ENDPOINT, { body: [{ ok: true }] });
    assert.match(await refusal(source.read('ai01')), /^corrupt_response: .*no JSON object/);
    await clock.advance(4000);
    says({}, { ok: undefined });
    assert.is(
      (await source.read('ai01')).value,
      0.634863,
      'an item that does not say ok is not one that says no',
    );
  }));

test('LANG-065 the bridge does not lose what an ADC service says of its own reading', () =>
  onAdc(async ({ source, says, clock }) => {
    for (const flaw of [
      { stale: true },
      { valid: false },
      { quality: 'bad' },
      { saturated: 1 },
      { age_ms: '4' },
      { bench: 'true' },
      { verified: 'false' },
      { calibration_confirmed: 0 },
    ])
      for (const [reading, item] of [
        [flaw, {}] as const,
        ...('age_ms' in flaw ? [] : [[{}, flaw] as const]),
      ]) {
        await clock.advance(4000);
        says(reading, item);
        assert.match(await refusal(source.read('ai01')), /^corrupt_response/, JSON.stringify(flaw));
      }
    for (const flaw of [{ saturated: true }, { over_range: true }]) {
      await clock.advance(4000);
      says(flaw);
      assert.is((await source.read('ai01')).saturated, true);
    }
  }));

test('LANG-065 a value that its source could not verify passes with that mark, wherever in the item it stands', () =>
  onAdc(async ({ source, says, clock }) => {
    for (const [reading, item, verified] of [
      [{ verified: false }, {}, false],
      [{}, { verified: false }, false],
      [{ verified: true }, { verified: true }, undefined],
      [{}, {}, undefined],
    ] as const) {
      says(reading, item);
      assert.is((await source.read('ai01')).verified, verified);
      await clock.advance(101);
    }
    says({ calibration_confirmed: false });
    assert.is((await source.read('ai01')).calibrationConfirmed, false);
  }));

test('SVC-009 a source that says simulated or mock_mode is refused, a bench passes with its mark', () =>
  onAdc(async ({ source, says, clock }) => {
    for (const [reading, item] of [
      [{ simulated: true }, {}],
      [{}, { simulated: true }],
      [{}, { mock_mode: true }],
    ] as [Json, Json][]) {
      await clock.advance(4000);
      says(reading, item);
      assert.match(await refusal(source.read('ai01')), /^sensor_source_simulated: .*SVC_HARDWARE_MODE=real/);
    }
    await clock.advance(4000);
    says({ bench: true });
    assert.is((await source.read('ai01')).bench, true);
  }));

test('SVC-024 what is not confirmed after a change of the source stays so', () =>
  onAdc(async ({ source, says, clock }) => {
    says({}, { calibration_confirmed: false });
    assert.is((await source.read('ai01')).calibrationConfirmed, false);
    await clock.advance(101);
    says();
    assert.is((await source.read('ai01')).calibrationConfirmed, undefined);
  }));

test('LANG-067 a sample is served again for 80 ms with its true age, so that a read every 100 ms gets a new one', () =>
  onAdc(async ({ source, asked, clock, says }) => {
    await source.read('ai01');
    await clock.advance(79);
    says({ volts: 1 });
    assert.equal(
      [(await source.read('ai01')).value, (await source.read('ai01')).ageMs, asked.length],
      [0.634863, 79, 1],
    );
    await clock.advance(1);
    assert.equal([(await source.read('ai01')).value, asked.length], [1, 2]);
  }));

test('LANG-067 the time that the answer takes belongs to the 80 ms', () =>
  onAdc(async ({ source, asked, clock, answers, says }) => {
    says();
    const { body } = answers.get(ENDPOINT) as { body: unknown };
    const slow = {
      get body() {
        void clock.advance(30);
        return body;
      },
    };
    answers.set(ENDPOINT, slow);
    await source.read('ai01');
    await clock.advance(50);
    await source.read('ai01');
    assert.is(asked.length, 2);
  }));

test('a sample older than 1.0 s is refused: by the clock, by what its source says, and in the cache', () =>
  onAdc(async ({ source, says, clock, at }) => {
    for (const reading of [() => ({ observed_at: at(-1000) }), () => ({ age_ms: 1000 })]) {
      says(reading());
      assert.is((await source.read('ai01')).ageMs, 1000);
      await clock.advance(100);
    }
    const old: (() => Json)[] = [
      () => ({ observed_at: at(-1001) }),
      () => ({ age_ms: 1001 }),
      () => ({ observed_at: at(1001) }),
    ];
    for (const reading of old) {
      await clock.advance(4000);
      says(reading());
      assert.match(await refusal(source.read('ai01')), /^device_error: .*(1001 ms old|1001 ms ahead)/);
    }
    await clock.advance(4000);
    says({ observed_at: at(-950) });
    assert.is((await source.read('ai01')).ageMs, 950);
    await clock.advance(60);
    assert.match(await refusal(source.read('ai01')), /^device_error: .*1010 ms old/, 'from the cache');
  }));

test('after a failed call the next is made 3 s later; until then the failure is reported, and no older value', () =>
  onAdc(async ({ source, says, answers, asked, clock }) => {
    await source.read('ai01');
    await clock.advance(100);
    answers.set(ENDPOINT, {
      status: 503,
      body: { ok: false, code: 'device_timeout', error: 'usb-adc-usbhid: no answer' },
    });
    assert.is(await refusal(source.read('ai01')), 'device_timeout: sensor-adc: usb-adc-usbhid: no answer');
    says();
    for (const [stepMs, left] of [
      [0, '3.0'],
      [50, '3.0'],
      [2900, '0.1'],
    ] as const) {
      await clock.advance(stepMs);
      const told = await refusal(source.read('ai01'));
      assert.is(
        told,
        `device_timeout: sensor-adc: usb-adc-usbhid: no answer; it is asked again in ${left} s`,
      );
    }
    assert.is(asked.length, 2);
    await clock.advance(50);
    says();
    assert.is((await source.read('ai01')).value, 0.634863);
    assert.is(asked.length, 3);
  }));

test('a call that fails behind a good one makes its sample unusable too', () =>
  onAdc(async ({ source, answers, says, clock }) => {
    answers.set(ENDPOINT, 'silence');
    const silent = refusal(source.read('ai01'));
    await clock.advance(2450);
    says();
    assert.is((await source.read('ai01')).value, 0.634863);
    await clock.advance(50);
    assert.match(await silent, /^device_timeout: /);
    assert.match(await refusal(source.read('ai01')), /^device_timeout: .*it is asked again in/);
  }));

test('a caller that goes away says nothing about the source', () =>
  onAdc(async ({ source, answers, says }) => {
    answers.set(ENDPOINT, 'silence');
    const stop = new AbortController();
    const read = refusal(source.read('ai01', stop.signal));
    stop.abort(Object.assign(new Error('gone'), { code: 'gone' }));
    assert.is(await read, 'gone: gone');
    says();
    assert.is((await source.read('ai01')).value, 0.634863);
  }));

test('a source that thinks our request wrong is a device error of the rig, never our caller’s 401, 404 or 422', () =>
  onAdc(async ({ source, answers, clock }) => {
    for (const [status, code] of [
      [401, 'unauthorized'],
      [404, 'not_found'],
      [422, 'invalid_channel'],
      [500, 'internal_error'],
    ] as const) {
      await clock.advance(4000);
      answers.set(ENDPOINT, { status, body: { ok: false, code, error: `says ${status}` } });
      assert.match(
        await refusal(source.read('ai01')),
        new RegExp(`^device_error: sensor-adc: says ${status}`),
      );
    }
  }));

test('an endpoint that reads another pin of the device than the file says is refused', () =>
  onAdc(async ({ source, says, clock }) => {
    says({ input_name: 'G2' });
    assert.match(await refusal(source.read('ai01')), /^wrong_device: .* reads G2 .* has pin G1; correct/);
    await clock.advance(4000);
    says({ input_name: 'ch1', adapter: 'bank' });
    assert.is((await source.read('ai01')).value, 0.634863, 'the stack may have put the channel on the bank');
  }));

test.run();
