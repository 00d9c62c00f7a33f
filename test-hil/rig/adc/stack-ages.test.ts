import * as assert from 'uvu/assert';
import { suite } from '../../../src/test-kit/suite.ts';
import { describesAges, judgesAges } from './ages.ts';
import { closeStack, itemsOf, onOwnStack, onStack, type StackItem } from './stack.ts';

const test = suite('built svc-adc-stack: samples that may be served again');

const readingOf = (body: unknown) => (body as StackItem).reading;

test('SVC-018 max_age_ms is 0 to 1000, once, for a single sample', () => onStack((call) => judgesAges(call)));

test('SVC-007 the description is valid and has max_age_ms', () =>
  onStack((_call, _rig, { url }) => describesAges(url)));

test('SVC-018 within its age a sample is served again, channel by channel and as a list', () =>
  onStack(async (call, rig) => {
    const list = await call('/api/v1/adc');
    const traced = rig.traced;
    for (const number of [1, 2, 3]) {
      const { body } = await call(`/api/v1/adc/${number}?max_age_ms=1000`);
      assert.equal(body, itemsOf(list.body)[number - 1]);
    }
    assert.equal((await call('/api/v1/adc?max_age_ms=1000')).body, list.body);
    assert.is(rig.traced, traced, 'no device was asked');
  }));

test('SVC-015 the failure of one device leaves nothing old of it and takes nothing from the other', () =>
  onStack(async (call, rig) => {
    const before = await call('/api/v1/adc');
    await rig.turn('uart', { raw_override: 1_100_001 });
    assert.is((await call('/api/v1/adc/3')).status, 503);
    assert.is((await call('/api/v1/adc/2?max_age_ms=1000')).status, 503);
    assert.equal((await call('/api/v1/adc/1?max_age_ms=1000')).body, itemsOf(before.body)[0]);
    const { body } = await call('/api/v1/adc?max_age_ms=1000');
    assert.equal(
      itemsOf(body).map(({ ok }) => ok),
      [true, false, false],
    );
  }));

test('samples of the bank are asked for anew: they have an age rule of their own', () =>
  onOwnStack(
    async (call) => {
      const first = readingOf((await call('/api/v1/adc/2?max_age_ms=1000')).body);
      const second = readingOf((await call('/api/v1/adc/2?max_age_ms=1000')).body);
      assert.is(first?.adapter, 'bank');
      assert.is.not(
        `${first?.observed_at} ${first?.age_ms} ${first?.raw}`,
        `${second?.observed_at} ${second?.age_ms} ${second?.raw}`,
      );
    },
    (rig) => rig.bankEnv({ ai02: 0 }),
  ));

test.after(closeStack);
test.run();
