import * as assert from 'uvu/assert';
import { suite } from '../../../src/test-kit/suite.ts';
import { until } from './adc-bench.ts';
import { closeUsb, onUsb } from './usb.ts';

const test = suite('built svc-adc-usb: several callers');

const codeOf = (body: unknown) => (body as { code: string }).code;

test('many samples are averaged; one saturated sample marks the mean', () =>
  onUsb(async (call, rig) => {
    const { body } = await call('/api/v1/adc/1?samples=120');
    const { samples, raw_10bit: raw, saturated } = (body as { reading: Record<string, unknown> }).reading;
    assert.equal([samples, raw, saturated], [120, 197, false]);
    const before = rig.traced;
    const series = call('/api/v1/adc/1?samples=150');
    await until(async () => rig.traced > before + 100);
    await rig.turn('usbhid', { g1_v: 5 });
    const mixed = ((await series).body as { reading: { raw_10bit: number; saturated: boolean } }).reading;
    assert.is(mixed.saturated, true, JSON.stringify(mixed));
    assert.ok(mixed.raw_10bit < 1023, 'only a part of the samples was');
  }));

test('a long series lets the single sample of another caller in between', () =>
  onUsb(async (call) => {
    let isOver = false;
    const long = call('/api/v1/adc?samples=400').then((answer) => {
      isOver = true;
      return answer;
    });
    await call('/api/v1/i2c/nothing');
    for (let i = 0; i < 3; i++) assert.is((await call('/api/v1/adc/2')).status, 200);
    assert.not(isOver, 'three single samples came before the end of the series');
    const { status, body } = await long;
    // A busy machine may need longer for it than the 2.5 s it has.
    assert.ok(status === 200 || codeOf(body) === 'device_timeout', JSON.stringify(body));
  }));

test('a burst of equal requests shares samples, none of them older than its request', () =>
  onUsb(async (call, rig) => {
    const before = rig.traced;
    const sentAt = Date.now();
    const answers = await Promise.all(Array.from({ length: 40 }, () => call('/api/v1/adc/1')));
    for (const { status, body } of answers) {
      assert.is(status, 200);
      assert.ok(Date.parse((body as { observed_at: string }).observed_at) >= sentAt);
    }
    const exchanges = rig.traced - before;
    assert.ok(exchanges < 40 * 4, `${exchanges} trace entries where 40 single readings make 160`);
  }));

test('more than 16 waiting jobs are 503 device_busy with Retry-After', () =>
  onUsb(async (call) => {
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) => call(`/api/v1/adc/1?samples=${index + 200}`)),
    );
    const busy = answers.filter(({ status, body }) => status === 503 && codeOf(body) === 'device_busy');
    for (const { headers } of busy) assert.is(headers.get('retry-after'), '1');
    // Others whose turn does not come in time are told so, which is another sentence.
    const refused = busy.filter(({ body }) =>
      (body as { error: string }).error.includes('16 jobs wait already'),
    );
    assert.ok(refused.length >= 1 && refused.length <= 3, `${refused.length} of 20 where 1 runs and 16 wait`);
  }));

test('a caller that goes away ends its series', () =>
  onUsb(async (call, rig) => {
    const before = rig.traced;
    const gone = new AbortController();
    const long = call('/api/v1/adc?samples=4000', { signal: gone.signal }).catch(() => 'gone');
    await until(async () => rig.traced > before + 100);
    gone.abort();
    assert.is(await long, 'gone');
    let last = -1;
    await until(async () => {
      const isQuiet = rig.traced === last;
      last = rig.traced;
      return isQuiet;
    });
  }));

test.after(closeUsb);
test.run();
