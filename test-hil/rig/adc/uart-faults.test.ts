import * as assert from 'uvu/assert';
import { suite } from '../../../src/test-kit/suite.ts';
import { onAdcBench, until } from './adc-bench.ts';
import { closeUart, type Members, onUart } from './uart.ts';

/** The limit is 2.5 s of the service's own time; a busy machine adds to it. */
const SLOW_MS = 20_000;

const test = suite('built svc-adc-uart: faults');

test('/health is AT answered by OK; silence, ERROR and absence are distinguished, always 200', () =>
  onUart(async (call, rig) => {
    const health = async () => {
      const { status, body } = await call('/health?wait_ms=2500');
      assert.is(status, 200);
      return body as Members;
    };
    const well = await health();
    assert.equal([well.ok, well.status, well.message, well.transport], [true, 'connected', 'OK', 'uart']);
    await rig.turn('uart', { at_error: true });
    const refusing = await health();
    assert.equal([refusing.ok, refusing.status], [false, 'error']);
    await rig.turn('uart', { at_error: false, silent: true });
    const silent = await health();
    assert.equal([silent.ok, silent.status], [false, 'timeout']);
    assert.match(String(silent.message), /DIP/i);
    await rig.turn('uart', { silent: false, unplugged: true });
    await until(async () => (await health()).status === 'not_found');
  }));

test('DEV-042 a module that is plugged in after the start is found', () =>
  onAdcBench(
    async (rig) => {
      await rig.turn('uart', { unplugged: true });
      const { call } = await rig.start('svc-adc-uart');
      assert.is((await call('/api/v1/adc/1')).status, 503);
      await rig.turn('uart', { unplugged: false });
      await until(async () => (await call('/api/v1/adc/1')).status === 200);
    },
    ['uart'],
  ));

test('SVC-019 SVC-015 DEV-014 raw 1100000 is 11 V, 1100001 is 503 corrupt_response without a value', () =>
  onUart(async (call, rig) => {
    await rig.turn('uart', { raw_override: 1_100_000 });
    const { volts, over_range: isOver } = ((await call('/api/v1/adc/1')).body as { reading: Members })
      .reading;
    assert.equal([volts, isOver], [11, true]);
    await rig.turn('uart', { raw_override: 1_100_001 });
    const { status, body } = await call('/api/v1/adc');
    assert.is(status, 503);
    const { code, channels } = body as Members & { channels: Members[] };
    assert.is(code, 'corrupt_response');
    assert.equal(
      channels.map(({ ok, input_name: name, code: each }) => [ok, name, each]),
      [
        [false, 'AIN1', 'corrupt_response'],
        [false, 'AIN2', 'corrupt_response'],
      ],
    );
    assert.not.ok('reading' in (channels[0] ?? {}));
  }));

test('SVC-017 silence is 503 device_timeout within its limit, and names the DIP switch', () =>
  onUart(async (call, rig) => {
    await rig.turn('uart', { silent: true });
    const startedAt = performance.now();
    const { status, body } = await call('/api/v1/adc/2');
    assert.is(status, 503);
    assert.is((body as Members).code, 'device_timeout');
    assert.match(String((body as Members).error), /DIP/i);
    assert.ok(performance.now() - startedAt < SLOW_MS);
  }));

test('DEV-015 a short answer is an error and never 0 V', () =>
  onUart(async (call, rig) => {
    await rig.turn('uart', { truncate: 2 });
    const { status, body } = await call('/api/v1/adc/1');
    assert.is(status, 503);
    assert.not.ok(JSON.stringify(body).includes('volts"'));
  }));

test.after(closeUart);
test.run();
