import * as assert from 'uvu/assert';
import { systemClock } from '../../../src/lib/clock/clock.ts';
import { suite } from '../../../src/test-kit/suite.ts';
import { until } from './adc-bench.ts';
import { describesAges, judgesAges } from './ages.ts';
import { closeUart, type Members, onOwnUart, onUart } from './uart.ts';

const test = suite('built svc-adc-uart: samples that may be served again');

const FRESH = '/api/v1/adc/1?max_age_ms=1000';

test('SVC-018 max_age_ms is 0 to 1000, once, for a single sample', () => onUart((call) => judgesAges(call)));

test('SVC-007 the description is valid and has max_age_ms', () =>
  onUart((_call, _rig, { url }) => describesAges(url)));

test('SVC-018 one device read serves many requests while it is fresh, and a list only when all inputs are', () =>
  onOwnUart(async (call, rig) => {
    await until(async () => (await call('/api/v1/adc/1')).status === 200);
    const first = await call('/api/v1/adc/1');
    await rig.turn('uart', { ain1_v: 3 });
    const before = rig.traced;
    for (let i = 0; i < 5; i++) assert.equal((await call(FRESH)).body, first.body);
    assert.is(rig.traced, before, 'the module was not asked');
    const list = (await call('/api/v1/adc?max_age_ms=1000')).body as Members[];
    assert.equal(
      list.map(({ volts }) => volts),
      [3, 0.885],
      'AIN2 was not known, so both were taken',
    );
    assert.equal((await call('/api/v1/adc?max_age_ms=1000')).body, list);
    await systemClock.sleep(120);
    await rig.turn('uart', { ain1_v: 4 });
    assert.is(((await call('/api/v1/adc/1?max_age_ms=100')).body as Members).volts, 4);
  }));

test('SVC-014 after a value that no sound module gives, silence or a loss nothing old is served', () =>
  onUart(async (call, rig) => {
    for (const [bad, good] of [
      [{ raw_override: 1_100_001 }, { raw_override: null }],
      [{ silent: true }, { silent: false }],
      [{ unplugged: true }, { unplugged: false }],
    ] as const) {
      await until(async () => (await call('/api/v1/adc/1')).status === 200);
      await rig.turn('uart', bad);
      // The failure of the other input is that of the module.
      assert.is((await call('/api/v1/adc/2')).status, 503);
      const { status, body } = await call(FRESH);
      assert.is(status, 503, JSON.stringify(bad));
      assert.not.ok('reading' in (body as Members));
      await rig.turn('uart', good);
    }
  }));

test.after(closeUart);
test.run();
