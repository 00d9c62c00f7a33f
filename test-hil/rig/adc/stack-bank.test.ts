import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import * as assert from 'uvu/assert';
import { confirmAdcSource } from '../../../src/rig/adc/confirmation.ts';
import { suite } from '../../../src/test-kit/suite.ts';
import { onAdcBench, until } from './adc-bench.ts';
import { healthOf, itemsOf, onOwnStack, problemOf, type StackItem } from './stack.ts';

const test = suite('built svc-adc-stack: the remote bank');

test('SVC-023 SVC-013 a channel on the bank is served by it, and its failure yields no value and no substitute', () =>
  onOwnStack(
    async (call, rig) => {
      const { status, body } = await call('/api/v1/adc');
      assert.is(status, 200);
      const second = itemsOf(body)[1];
      assert.is(second?.adapter, 'bank');
      assert.is(second?.physical_input, 'bank-0/ch1');
      assert.equal(second?.nominal_range_volts, [0, 12]);
      const { reading } = second ?? {};
      assert.is(reading?.adapter, 'bank');
      assert.is(reading?.physical_input, 'bank-0/ch1');
      assert.is(reading?.transport, 'http');
      assert.is(reading?.bench, true);
      const ageMs = Number(reading?.age_ms);
      assert.ok(ageMs >= 12 && ageMs <= 1000, `${ageMs}: 12 ms as received, and the time since`);
      assert.type(reading?.raw, 'number');
      assert.type(reading?.adc_voltage, 'number');
      assert.is(itemsOf(body)[2]?.adapter, 'usb-adc-uart', 'a channel that is not in the map stays on board');

      const failures = [
        [{ http_status: 500 }, 'bank_unreachable'],
        [{ not_json: true }, 'bank_unreachable'],
        [{ disconnect: true }, 'bank_unreachable'],
        [{ delay_ms: 900 }, 'bank_unreachable'],
        [{ identity: 'bank-9/ch1' }, 'bank_identity_mismatch'],
        [{ age_ms: 1001 }, 'bank_sample_stale'],
        [{ missing_age: true }, 'bank_sample_stale'],
        [{ saturated: true }, 'bank_saturated'],
        [{ volts: 12.001 }, 'bank_out_of_range'],
        [{ volts: -0.001 }, 'bank_out_of_range'],
      ] as const;
      for (const [knobs, code] of failures) {
        await rig.bench.reset();
        await rig.turn('bank', knobs);
        const item = itemsOf((await call('/api/v1/adc')).body)[1];
        assert.is(item?.ok, false, code);
        assert.is(item?.code, code);
        assert.is(item?.adapter, 'bank');
        assert.not.ok('reading' in (item ?? {}));
      }
      const single = await call('/api/v1/adc/2');
      assert.is(single.status, 503);
      assert.is(problemOf(single.body).code, 'bank_out_of_range');
      const { components } = healthOf((await call('/health?wait_ms=2500')).body);
      assert.is(components.bank?.status, 'error');
      assert.match(components.bank?.message ?? '', '-0.001 V');
    },
    (rig) => rig.bankEnv({ ai02: 1 }),
  ));

test('SVC-022 a good map makes the legacy address ignored: nobody ever asks there', async () => {
  let asked = 0;
  const legacy = createServer((_, response) => {
    asked += 1;
    response.end('{}');
  }).listen(0, '127.0.0.1');
  await once(legacy, 'listening');
  const { port } = legacy.address() as AddressInfo;
  try {
    await onOwnStack(
      async (call) => {
        const items = itemsOf((await call('/api/v1/adc')).body);
        assert.equal(
          items.map(({ physical_input: input }) => input),
          ['MCP2221A.G1', 'DFR1184.AIN1', 'bank-0/ch2'],
        );
        await call('/health?wait_ms=2500');
        assert.is(asked, 0);
      },
      (rig) => ({ ...rig.bankEnv({ ai03: 2 }), BANK_ADC_LEGACY_URL: `http://127.0.0.1:${port}` }),
    );
  } finally {
    legacy.close();
  }
});

test('SVC-022 with an empty map the legacy address serves its channel from bank channel 0', async () => {
  for (const [env, index] of [
    [{}, 1],
    [{ BANK_ADC_LEGACY_CHANNEL: 'ai03', BANK_ADC_CHANNEL_MAP: '{}' }, 2],
  ] as const)
    await onOwnStack(
      async (call) => {
        const item = itemsOf((await call('/api/v1/adc')).body)[index];
        assert.equal([item?.adapter, item?.physical_input], ['bank', 'bank-0/ch0']);
      },
      (rig) => ({ BANK_ADC_LEGACY_URL: rig.bench.addresses.bank, ...env }),
    );
});

test('a device whose channels are all on the bank is not used: not locked, not opened, and well', () =>
  onAdcBench(async (rig) => {
    const { call } = await rig.start('svc-adc-stack', rig.bankEnv({ ai02: 0, ai03: 1 }));
    const { components, sources, ok } = healthOf((await call('/health?wait_ms=2500')).body);
    assert.is(components['usb-adc-uart']?.status, 'not_used');
    assert.is(components['usb-adc-uart']?.ok, true);
    assert.equal(sources, { ai01: 'usb-adc-usbhid', ai02: 'bank', ai03: 'bank' });
    assert.ok(ok, JSON.stringify(components));
    assert.equal(rig.bench.trace('uart'), [], 'not a byte');
    const second = await rig.start('svc-adc-stack', rig.bankEnv({ ai01: 0, ai02: 1, ai03: 2 }));
    assert.is((await second.call('/api/v1/adc')).status, 200);
  }));

test('SVC-024 a source change raises calibration_confirmation_required until a person confirms', () =>
  onAdcBench(async (rig) => {
    const onBoard = await rig.start('svc-adc-stack');
    assert.is(
      healthOf((await onBoard.call('/health?wait_ms=2500')).body).calibration_confirmation_required,
      false,
    );
    assert.not.ok(JSON.stringify((await onBoard.call('/api/v1/adc')).body).includes('calibration_confirmed'));
    await onBoard.stop();

    const { call } = await rig.start('svc-adc-stack', rig.bankEnv({ ai02: 1 }));
    const required = async () =>
      healthOf((await call('/health?wait_ms=2500')).body).calibration_confirmation_required;
    const flags = async () =>
      itemsOf((await call('/api/v1/adc')).body).map((item) => item.calibration_confirmed);
    await until(async () => (await call('/api/v1/adc/1')).status === 200);
    assert.is(await required(), true);
    assert.equal(await flags(), [undefined, false, undefined]);
    assert.is(itemsOf((await call('/api/v1/adc')).body)[1]?.ok, true, 'the voltages are still served');
    confirmAdcSource(rig.stateDir);
    assert.is(await required(), false);
    assert.equal(await flags(), [undefined, undefined, undefined]);

    await rig.turn('bank', { bank_id: 'bank-1' });
    assert.equal(await flags(), [undefined, false, undefined], 'another bank at the same address');
    assert.is(await required(), true);
    await rig.turn('bank', { http_status: 500 });
    assert.is(
      ((await call('/api/v1/adc/2')).body as StackItem).calibration_confirmed,
      false,
      'also without a value',
    );
  }));

test.run();
