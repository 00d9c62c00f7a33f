import * as assert from 'uvu/assert';
import { suite } from '../../test-kit/suite.ts';
import { ConversionLedger } from './conversion.ts';

const test = suite('conversions that were seen');

test('LANG-067 one with an id counts once, whatever its times, also behind ten thousand others', () => {
  const ledger = new ConversionLedger();
  const take = (n: number) => ledger.take({ id: `#${n}`, fromMs: n, toMs: n + 1 });
  assert.ok(take(0));
  assert.not.ok(take(0));
  for (let n = 1; n <= 9_999; n++) assert.ok(take(n));
  assert.not.ok(take(0));
  for (let n = 10_000; n < 15_000; n++) assert.ok(take(n));
  assert.not.ok(take(9_999));
  assert.not.ok(take(14_999));
});

test('LANG-067 one without an id counts when it cannot be one of those before', () => {
  const ledger = new ConversionLedger();
  assert.ok(ledger.take({ fromMs: 10, toMs: 20 }));
  assert.not.ok(ledger.take({ fromMs: 20, toMs: 30 }));
  assert.ok(ledger.take({ fromMs: 31, toMs: 40 }));
});

test.run();
