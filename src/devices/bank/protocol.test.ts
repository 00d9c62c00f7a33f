import * as assert from 'uvu/assert';
import { suite } from '../../test-kit/suite.ts';
import { type BankChannel, type BankVerdict, identityOf, judgeSample } from './protocol.ts';

const test = suite('bank protocol');

/** A documented example. */
const EXAMPLE =
  '{"success":true,"data":{"bank_id":"bank-0","boot_id":"6f1c","channels":[{"channel":1,"identity":"bank-0/ch1","present":true,"ok":true,"raw":4000,"adc_voltage":0.25,"volts":1.0,"saturated":false,"age_ms":12}]}}';

type Members = Record<string, unknown>;
const GOOD: Members = {
  channel: 1,
  identity: 'bank-0/ch1',
  present: true,
  ok: true,
  raw: 4000,
  adc_voltage: 0.25,
  volts: 1,
  saturated: false,
  age_ms: 12,
};

/** The example with other members in its channel; `undefined` takes one away. */
function withChannel(patch: Members, ...others: Members[]): unknown {
  return {
    success: true,
    data: { bank_id: 'bank-0', boot_id: '6f1c', channels: [changed(patch), ...others] },
  };
}

function changed(patch: Members): Members {
  return JSON.parse(JSON.stringify({ ...GOOD, ...patch }), (_, value) =>
    value === 'Infinity' ? Number.POSITIVE_INFINITY : value,
  );
}

const judge = (
  body: unknown,
  options: { bankId?: string; sinceArrivalMs?: number; channel?: BankChannel } = {},
) => judgeSample(body, { channel: 1, sinceArrivalMs: 0, ...options });
const end = (verdict: BankVerdict) => ('code' in verdict ? verdict.code : 'good');

test('DEV-036 the documented example is a good sample', () => {
  assert.equal(judge(JSON.parse(EXAMPLE)), {
    sample: {
      channel: 1,
      volts: 1,
      raw: 4000,
      adcVoltage: 0.25,
      ageMs: 12,
      identity: 'bank-0/ch1',
      bankId: 'bank-0',
    },
  });
  assert.equal(identityOf(JSON.parse(EXAMPLE)), { bankId: 'bank-0', bootId: '6f1c', bench: false });
});

const single = { ...GOOD, bank_id: 'bank-0' };

const answers: [what: string, body: unknown, end: string][] = [
  // The forms an answer may have.
  ['no wrapper', { bank_id: 'bank-0', channels: [GOOD] }, 'good'],
  ['one channel object as data', { success: true, data: single }, 'good'],
  ['one channel object, the bank beside it', { success: true, bank_id: 'bank-0', data: GOOD }, 'good'],
  ['one channel object without a wrapper', single, 'good'],
  ['no success member', { data: { bank_id: 'bank-0', channels: [GOOD] } }, 'good'],
  // Success.
  ['success false', { success: false, data: { bank_id: 'bank-0', channels: [GOOD] } }, 'bank_unreachable'],
  ['success false without data', { success: false }, 'bank_unreachable'],
  // Present exactly once.
  ['nothing', {}, 'bank_sample_missing'],
  ['null', null, 'bank_sample_missing'],
  ['a number', 1, 'bank_sample_missing'],
  ['a text', 'ok', 'bank_sample_missing'],
  ['a list', [GOOD], 'bank_sample_missing'],
  ['data null', { success: true, data: null }, 'bank_sample_missing'],
  ['no channels', { success: true, data: { bank_id: 'bank-0' } }, 'bank_sample_missing'],
  ['channels empty', { bank_id: 'bank-0', channels: [] }, 'bank_sample_missing'],
  ['channels no list', { bank_id: 'bank-0', channels: GOOD }, 'bank_sample_missing'],
  ['channels of no objects', { bank_id: 'bank-0', channels: [1, null, 'x'] }, 'bank_sample_missing'],
  ['only another channel', withChannel({ channel: 2, identity: 'bank-0/ch2' }), 'bank_sample_missing'],
  ['the channel as a text', withChannel({ channel: '1' }), 'bank_sample_missing'],
  ['the channel twice', withChannel({}, GOOD), 'bank_sample_missing'],
  ['the channel twice, one not present', withChannel({}, { ...GOOD, present: false }), 'bank_sample_missing'],
  ['the channel and another', withChannel({}, { ...GOOD, channel: 2 }), 'good'],
  // Present, ok, finite.
  ['present false', withChannel({ present: false }), 'bank_sample_missing'],
  ['present missing', withChannel({ present: undefined }), 'bank_sample_missing'],
  ['present 1', withChannel({ present: 1 }), 'bank_sample_missing'],
  ['ok false', withChannel({ ok: false }), 'bank_sample_missing'],
  ['ok missing', withChannel({ ok: undefined }), 'good'],
  ['volts missing', withChannel({ volts: undefined }), 'bank_sample_missing'],
  ['volts null', withChannel({ volts: null }), 'bank_sample_missing'],
  ['volts a text', withChannel({ volts: '1.0' }), 'bank_sample_missing'],
  ['volts infinite', withChannel({ volts: 'Infinity' }), 'bank_sample_missing'],
  ['raw infinite', withChannel({ raw: 'Infinity' }), 'bank_sample_missing'],
  ['raw null', withChannel({ raw: null }), 'bank_sample_missing'],
  ['adc_voltage a text', withChannel({ adc_voltage: '0.25' }), 'bank_sample_missing'],
  ['adc_voltage missing', withChannel({ adc_voltage: undefined }), 'good'],
  ['members that mean nothing here', withChannel({ code: 'x', message: 'y', entry: {} }), 'good'],
  // Identity.
  ['one object of another channel', { ...single, channel: 2 }, 'bank_identity_mismatch'],
  ['identity of another channel', withChannel({ identity: 'bank-0/ch2' }), 'bank_identity_mismatch'],
  ['identity of another bank', withChannel({ identity: 'bank-1/ch1' }), 'bank_identity_mismatch'],
  ['identity missing', withChannel({ identity: undefined }), 'bank_identity_mismatch'],
  ['identity in other case', withChannel({ identity: 'BANK-0/CH1' }), 'bank_identity_mismatch'],
  ['identity null', withChannel({ identity: null }), 'bank_identity_mismatch'],
  ['no bank_id', { success: true, data: { channels: [GOOD] } }, 'bank_identity_mismatch'],
  [
    'no bank_id and an identity without it',
    { data: { channels: [changed({ identity: 'undefined/ch1' })] } },
    'bank_identity_mismatch',
  ],
  ['an empty bank_id', { bank_id: '', channels: [changed({ identity: '/ch1' })] }, 'bank_identity_mismatch'],
  // Age.
  ['age 0 ms', withChannel({ age_ms: 0 }), 'good'],
  ['age 1000 ms', withChannel({ age_ms: 1000 }), 'good'],
  ['age 1000.5 ms', withChannel({ age_ms: 1000.5 }), 'bank_sample_stale'],
  ['age 1001 ms', withChannel({ age_ms: 1001 }), 'bank_sample_stale'],
  ['age -1 ms', withChannel({ age_ms: -1 }), 'bank_sample_stale'],
  ['age missing', withChannel({ age_ms: undefined }), 'bank_sample_stale'],
  ['age null', withChannel({ age_ms: null }), 'bank_sample_stale'],
  ['age a text', withChannel({ age_ms: '12' }), 'bank_sample_stale'],
  ['age infinite', withChannel({ age_ms: 'Infinity' }), 'bank_sample_stale'],
  ['age_s 1', withChannel({ age_ms: undefined, age_s: 1 }), 'good'],
  ['age_s 1.001', withChannel({ age_ms: undefined, age_s: 1.001 }), 'bank_sample_stale'],
  ['age_s 0.012', withChannel({ age_ms: undefined, age_s: 0.012 }), 'good'],
  ['age_s a text', withChannel({ age_ms: undefined, age_s: '0.012' }), 'bank_sample_stale'],
  ['two ages, one too old', withChannel({ age_s: 2 }), 'bank_sample_stale'],
  ['two ages, one negative', withChannel({ age_s: -1 }), 'bank_sample_stale'],
  // Saturation.
  ['saturated', withChannel({ saturated: true }), 'bank_saturated'],
  [
    'saturated as documented',
    withChannel({ saturated: true, raw: 32767, adc_voltage: 2.048, volts: 8.192 }),
    'bank_saturated',
  ],
  ['raw 32767 not marked', withChannel({ raw: 32767 }), 'bank_saturated'],
  ['raw -32768 not marked', withChannel({ raw: -32768 }), 'bank_saturated'],
  ['saturated a text', withChannel({ saturated: 'no' }), 'bank_saturated'],
  ['saturated missing, raw known', withChannel({ saturated: undefined }), 'good'],
  ['saturated and raw missing', withChannel({ saturated: undefined, raw: undefined }), 'bank_saturated'],
  // Range.
  ['0 V', withChannel({ volts: 0 }), 'good'],
  ['12 V', withChannel({ volts: 12 }), 'good'],
  ['-0.001 V', withChannel({ volts: -0.001 }), 'bank_out_of_range'],
  ['12.001 V', withChannel({ volts: 12.001 }), 'bank_out_of_range'],
];
for (const [what, body, wanted] of answers) {
  test(`DEV-036 DEV-037 ${what}: ${wanted}`, () => {
    const verdict = judge(body);
    assert.is(end(verdict), wanted);
    if ('code' in verdict) assert.ok(verdict.message.length > 10);
  });
}

test('DEV-036 DEV-037 with everything wrong the checks name their faults in order, as each is put right', () => {
  const wrong = {
    success: false,
    present: false,
    identity: 'x',
    age_ms: 5000,
    saturated: true,
    volts: 13,
  };
  const order: [right: Members, next: string][] = [
    [{}, 'bank_unreachable'],
    [{ success: true }, 'bank_sample_missing'],
    [{ present: true }, 'bank_identity_mismatch'],
    [{ identity: 'bank-0/ch1' }, 'bank_sample_stale'],
    [{ age_ms: 1 }, 'bank_saturated'],
    [{ saturated: false }, 'bank_out_of_range'],
    [{ volts: 1 }, 'good'],
  ];
  let now: Members = wrong;
  for (const [right, next] of order) {
    now = { ...now, ...right };
    const { success, ...channel } = now;
    const body = { success, data: { bank_id: 'bank-0', channels: [changed(channel)] } };
    assert.is(end(judge(body)), next);
  }
});

test('DEV-036 BANK_ADC_ID names the only bank that may answer', () => {
  assert.is(end(judge(withChannel({}), { bankId: 'bank-0' })), 'good');
  const verdict = judge(withChannel({}), { bankId: 'bank-7' });
  assert.is(end(verdict), 'bank_identity_mismatch');
  assert.match('code' in verdict ? verdict.message : '', /"bank-0" answers where BANK_ADC_ID wants "bank-7"/);
});

test('DEV-037 the time since arrival counts as age', () => {
  assert.is(end(judge(withChannel({ age_ms: 990 }), { sinceArrivalMs: 10 })), 'good');
  assert.is(end(judge(withChannel({ age_ms: 990 }), { sinceArrivalMs: 10.5 })), 'bank_sample_stale');
  assert.is(end(judge(withChannel({ age_ms: 0 }), { sinceArrivalMs: 1001 })), 'bank_sample_stale');
  const verdict = judge(withChannel({ age_ms: 12 }), { sinceArrivalMs: 5 });
  assert.is('sample' in verdict && verdict.sample.ageMs, 17);
});

test('each channel is judged for itself', () => {
  const body = {
    bank_id: 'b',
    channels: [0, 1, 2].map((channel) => changed({ channel, identity: `b/ch${channel}`, volts: channel })),
  };
  for (const channel of [0, 1, 2] as const) {
    const verdict = judge(body, { channel });
    assert.is('sample' in verdict && verdict.sample.volts, channel);
  }
});

test('DEV-046 who answered is reported also where no sample is good', () => {
  assert.equal(identityOf({ success: false, data: { bank_id: 'b', boot_id: 7, bench: true } }), {
    bankId: 'b',
    bootId: '7',
    bench: true,
  });
  assert.equal(identityOf(null), { bankId: null, bootId: null, bench: false });
  assert.is(identityOf({ bench: 'yes' }).bench, false);
});

test.run();
