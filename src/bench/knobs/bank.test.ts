import * as assert from 'uvu/assert';
import { BankAdc } from '../../devices/bank/driver.ts';
import { codeOf, near, provesKnobs } from '../../test-kit/bench/on-bench.ts';
import type { Bench } from '../bench.ts';

async function connect(bench: Bench) {
  const bank = new BankAdc({ url: bench.addresses.bank });
  const sample = async (channel: 0 | 1 | 2 = 1) => {
    const [result] = await bank.read([channel]);
    if (result?.status === 'fulfilled') return result.value;
    throw result?.reason;
  };
  return { client: sample, close: async () => bank.close() };
}

const test = provesKnobs({
  device: 'bank',
  listed: [
    'volts',
    'saturated',
    'age_ms',
    'identity',
    'missing_age',
    'delay_ms',
    'http_status',
    'disconnect',
    'not_json',
  ],
  connect,
  effects: {
    volts: [
      'puts a voltage on the inputs, also one out of range',
      async (sample, turn) => {
        near((await sample(1)).volts, 0.755, 0.001);
        await turn({ volts: [1, 2, 3] });
        near((await sample(2)).volts, 3, 0.001);
        await turn({ volts: 12.001 });
        assert.is(await codeOf(sample()), 'bank_out_of_range');
      },
    ],
    saturated: [
      'a converter at its end is not a reading',
      async (sample, turn) => {
        await turn({ saturated: true });
        assert.is(await codeOf(sample()), 'bank_saturated');
      },
    ],
    age_ms: [
      'an old sample is not a reading',
      async (sample, turn) => {
        await turn({ age_ms: 1001 });
        assert.is(await codeOf(sample()), 'bank_sample_stale');
      },
    ],
    identity: [
      'another identity is not a reading',
      async (sample, turn) => {
        await turn({ identity: 'bank-7/ch1' });
        assert.is(await codeOf(sample()), 'bank_identity_mismatch');
      },
    ],
    missing_age: [
      'a sample without an age is not a reading',
      async (sample, turn) => {
        await turn({ missing_age: true });
        assert.is(await codeOf(sample()), 'bank_sample_stale');
      },
    ],
    delay_ms: [
      'an answer behind the time limit is none',
      async (sample, turn) => {
        await turn({ delay_ms: 2000 });
        assert.is(await codeOf(sample()), 'bank_unreachable');
      },
    ],
    http_status: [
      'another status is not a reading',
      async (sample, turn) => {
        await turn({ http_status: 500 });
        assert.is(await codeOf(sample()), 'bank_unreachable');
      },
    ],
    disconnect: [
      'a connection that breaks off is not a reading',
      async (sample, turn) => {
        await turn({ disconnect: true });
        assert.is(await codeOf(sample()), 'bank_unreachable');
      },
    ],
    not_json: [
      'an answer that is not valid JSON is not a reading',
      async (sample, turn) => {
        await turn({ not_json: true });
        assert.is(await codeOf(sample()), 'bank_unreachable');
      },
    ],
    unplugged: [
      'no process listens, and the bank is at the same port when it returns',
      async (sample, turn) => {
        await sample();
        await turn({ unplugged: true });
        assert.is(await codeOf(sample()), 'bank_unreachable');
        await turn({ unplugged: false });
        near((await sample()).volts, 0.755, 0.001);
      },
    ],
  },
});

test.run();
