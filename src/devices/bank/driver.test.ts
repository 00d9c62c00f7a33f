import { createServer, type RequestListener } from 'node:http';
import * as assert from 'uvu/assert';
import { type Clock, systemClock } from '../../lib/clock/clock.ts';
import { suite } from '../../test-kit/suite.ts';
import type { DeviceError } from '../device-error.ts';
import { BankAdc, type BankAdcOptions, type BankChange, type BankSample } from './driver.ts';
import { type BankKnobs, bankKnobsSchema } from './knobs.ts';
import type { BankChannel } from './protocol.ts';
import { BankTwin } from './twin.ts';

interface Context {
  twin: BankTwin;
  volts: number[];
  adc(options?: Partial<BankAdcOptions>): BankAdc;
}

const test = suite<Partial<Context>>('bank driver');

test.before.each(async (context) => {
  const volts = [0.635, 0.755, 0.885];
  const twin = new BankTwin({ clock: systemClock, volts: (channel) => volts[channel] ?? 0 });
  await twin.open();
  context.twin = twin;
  context.volts = volts;
  context.adc = (options) => new BankAdc({ url: twin.url ?? 'http://127.0.0.1:9', ...options });
});

test.after.each(async ({ twin }) => {
  await twin?.close();
});

const ready = (context: Partial<Context>): Context => {
  const { twin, volts, adc } = context;
  if (!twin || !volts || !adc) throw new Error('the twin was not opened');
  return { twin, volts, adc };
};

const good = (end: PromiseSettledResult<BankSample> | undefined): BankSample => {
  if (end?.status !== 'fulfilled') throw end?.reason ?? new Error('no result');
  return end.value;
};
const bad = (end: PromiseSettledResult<BankSample> | undefined): DeviceError | undefined =>
  end?.status === 'rejected' ? (end.reason as DeviceError) : undefined;

const near = (value: number, wanted: number) => Math.abs(value - wanted) < 0.000_2;

test('three channels come with one request, each with its own voltage', async (context) => {
  const { twin, adc } = ready(context);
  const bank = adc();
  const before = Date.now();
  const samples = (await bank.read([2, 0, 1])).map(good);
  assert.equal(
    samples.map(({ channel, identity }) => [channel, identity]),
    [
      [2, 'bank-0/ch2'],
      [0, 'bank-0/ch0'],
      [1, 'bank-0/ch1'],
    ],
  );
  assert.ok(samples.every(({ volts }, index) => near(volts, [0.885, 0.635, 0.755][index] ?? 0)));
  const [sample] = samples;
  assert.is(bank.endpoint, `${twin.url}/api/v1/adc`);
  const ageMs = sample?.ageMs ?? 0;
  assert.ok(ageMs >= 12 && ageMs <= 12 + Date.now() + 1 - before, `${ageMs}`);
  assert.ok((sample?.observedAt ?? 0) >= before - 12 && (sample?.observedAt ?? 0) <= Date.now() - 12);
});

test('DEV-046 the data of the twin says that it is a bench', async (context) => {
  const bank = ready(context).adc();
  assert.is(good((await bank.read([0]))[0]).bench, true);
  assert.is(bank.identity?.bench, true);
});

test('DEV-045 the twin has every documented knob', () => {
  const listed = ['volts', 'saturated', 'age_ms', 'identity', 'missing_age', 'delay_ms', 'http_status'];
  for (const knob of [...listed, 'disconnect', 'not_json']) assert.ok(knob in bankKnobsSchema.shape, knob);
});

/** What each knob does to a sample of channel 1, and what the message must say. */
const knobs: [patch: Partial<BankKnobs>, end: string, says: RegExp][] = [
  [{ volts: 0 }, 'good', /./],
  [{ volts: 12 }, 'good', /./],
  [{ volts: -0.001 }, 'bank_out_of_range', /-0.001 V is not 0 to 12 V; check the input/],
  [{ volts: 12.001 }, 'bank_out_of_range', /12.001 V/],
  [{ volts: [null, 13, null] }, 'bank_out_of_range', /13 V/],
  [{ volts: [13, 1, 13] }, 'good', /./],
  [{ saturated: true }, 'bank_saturated', /end of its range; check the input voltage/],
  [{ age_ms: 800 }, 'good', /./],
  [{ age_ms: 1001 }, 'bank_sample_stale', /10\d\d(\.\d+)? ms where 0 to 1000 ms/],
  [{ age_ms: -1 }, 'bank_sample_stale', /0 to 1000 ms/],
  [{ missing_age: true }, 'bank_sample_stale', /not known/],
  [{ identity: 'bank-9/ch1' }, 'bank_identity_mismatch', /"bank-9\/ch1" where "bank-0\/ch1" is right; check/],
  [{ delay_ms: 300 }, 'good', /./],
  [{ delay_ms: 900 }, 'bank_unreachable', /800 ms/],
  [{ http_status: 500 }, 'bank_unreachable', /500/],
  [{ http_status: 201 }, 'bank_unreachable', /201/],
  [{ http_status: 302 }, 'bank_unreachable', /302/],
  [{ disconnect: true }, 'bank_unreachable', /failed/],
  [{ not_json: true }, 'bank_unreachable', /JSON/],
];
for (const [patch, wanted, says] of knobs) {
  test(`DEV-036 DEV-037 DEV-045 ${JSON.stringify(patch)}: ${wanted}, and it recovers`, async (context) => {
    const { twin, adc } = ready(context);
    const bank = adc();
    twin.knobs.patch(patch);
    const [end] = await bank.read([1]);
    const error = bad(end);
    assert.is(error?.code ?? 'good', wanted);
    if (error) {
      assert.match(error.message, says);
      assert.match(error.message, `bank at ${twin.url}/api/v1/adc`);
      assert.equal([error.device, error.endpoint], ['bank', bank.endpoint]);
    }
    twin.reset();
    assert.ok(near(good((await bank.read([1]))[0]).volts, 0.755));
  });
}

test('DEV-036 nothing replaces a failed sample: the last good one is not given again', async (context) => {
  const { twin, adc } = ready(context);
  const bank = adc();
  good((await bank.read([1]))[0]);
  twin.knobs.patch({ http_status: 503 });
  assert.equal(
    (await bank.read([0, 1, 2])).map((end) => bad(end)?.code),
    ['bank_unreachable', 'bank_unreachable', 'bank_unreachable'],
  );
});

test('a plant beyond the converter reads as saturated', async (context) => {
  const { adc, volts } = ready(context);
  volts[0] = 9;
  assert.is(bad((await adc().read([0]))[0])?.code, 'bank_saturated');
});

test('DEV-037 time that passes between arrival and judgement counts as age', async (context) => {
  const { adc } = ready(context);
  // Arrival, first channel, second channel: this process was held up before the second.
  const times = [0, 988, 988.1];
  const clock: Clock = { ...systemClock, monotonic: () => times.shift() ?? 0 };
  const [first, second] = await adc({ clock }).read([0, 1]);
  assert.is(good(first).ageMs, 1000);
  assert.is(bad(second)?.code, 'bank_sample_stale');
});

test('DEV-042 a bank that went away and came back is read again without a restart', async (context) => {
  const { twin, adc } = ready(context);
  const bank = adc();
  const port = Number(new URL(twin.url ?? '').port);
  await twin.close();
  assert.is(bad((await bank.read([1]))[0])?.code, 'bank_unreachable');
  await twin.open(port);
  assert.ok(near(good((await bank.read([1]))[0]).volts, 0.755));
});

test('BANK_ADC_ID refuses another bank', async (context) => {
  const { adc } = ready(context);
  good((await adc({ bankId: 'bank-0' }).read([0]))[0]);
  const error = bad((await adc({ bankId: 'bank-7' }).read([0]))[0]);
  assert.is(error?.code, 'bank_identity_mismatch');
  assert.match(error?.message ?? '', /BANK_ADC_ID/);
});

test('a new boot_id and a new bank_id are reported, once each', async (context) => {
  const { twin, adc } = ready(context);
  const told: [string, BankChange][] = [];
  const bank = adc({
    onBootIdChanged: (change) => told.push(['boot', change]),
    onBankIdChanged: (change) => told.push(['bank', change]),
  });
  await bank.read([0]);
  await bank.read([0]);
  assert.equal(told, []);
  twin.knobs.patch({ boot_id: 'a000' });
  await bank.read([0]);
  await bank.read([0]);
  twin.knobs.patch({ bank_id: 'bank-3' });
  assert.is(good((await bank.read([0]))[0]).bankId, 'bank-3');
  await bank.read([0]);
  assert.equal(told, [
    ['boot', { from: '6f1c', to: 'a000' }],
    ['bank', { from: 'bank-0', to: 'bank-3' }],
  ]);
});

test('DEV-019 one request at a time: callers at the same time each get their own channel', async () => {
  const channels: BankChannel[] = [0, 1, 2, 1, 0];
  let [open, most] = [0, 0];
  const twin = new BankTwin({ clock: systemClock });
  const samples = await served(
    (_, response) => {
      open += 1;
      most = Math.max(most, open);
      setTimeout(() => {
        open -= 1;
        response.end(JSON.stringify(twin.answer()));
      }, 5);
    },
    (url) => {
      const bank = new BankAdc({ url });
      return Promise.all(channels.map(async (channel) => good((await bank.read([channel]))[0])));
    },
  );
  assert.equal(
    samples.map(({ channel }) => channel),
    channels,
  );
  assert.is(most, 1);
});

test('a cancelled call ends at once, and leaves nothing behind', async (context) => {
  const { twin, adc } = ready(context);
  twin.knobs.patch({ delay_ms: 700 });
  const cancel = new AbortController();
  const reading = adc()
    .read([0], { signal: cancel.signal })
    .catch((error: DeviceError) => error.code);
  setImmediate(() => cancel.abort());
  assert.is(await reading, 'aborted');
});

/** A server of a few lines, for what the twin does not do. */
async function served<T>(listener: RequestListener, work: (url: string) => Promise<T>): Promise<T> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  try {
    return await work(`http://127.0.0.1:${port}`);
  } finally {
    server.closeAllConnections();
    await new Promise<void>((resolve) => server.close(() => resolve()));
  }
}

test('DEV-036 an answer of more than 64 KiB is refused, one of just 64 KiB is not', async () => {
  const channel = {
    channel: 0,
    identity: 'b/ch0',
    present: true,
    volts: 1,
    raw: 4000,
    saturated: false,
    age_ms: 1,
  };
  const bodyOf = (bytes: number) => {
    const bare = JSON.stringify({ bank_id: 'b', pad: '', channels: [channel] });
    return JSON.stringify({ bank_id: 'b', pad: 'x'.repeat(bytes - bare.length), channels: [channel] });
  };
  const ask = (bytes: number) =>
    served(
      (_, response) => response.end(bodyOf(bytes)),
      async (url) => (await new BankAdc({ url }).read([0]))[0],
    );
  assert.is(good(await ask(65_536)).volts, 1);
  const error = bad(await ask(65_537));
  assert.equal([error?.code, error?.reason], ['bank_unreachable', 'too_large']);
});

test('DEV-036 a redirect is not followed', async (context) => {
  const { twin } = ready(context);
  const end = await served(
    (_, response) => response.writeHead(302, { location: `${twin.url}/api/v1/adc` }).end(),
    async (url) => (await new BankAdc({ url }).read([0]))[0],
  );
  const error = bad(end);
  assert.equal([error?.code, error?.reason], ['bank_unreachable', 'redirect']);
});

test('DEV-036 the 0.8 s count for the whole answer, also when it trickles in', async () => {
  const end = await served(
    (_, response) => {
      response.write('{');
    },
    async (url) => (await new BankAdc({ url }).read([0]))[0],
  );
  assert.is(bad(end)?.reason, 'timeout');
});

test('an address that is no web address is refused at once; a trailing slash does no harm', async (context) => {
  for (const url of ['', 'bank-0', 'ftp://bank-0', '127.0.0.1:80']) {
    try {
      new BankAdc({ url });
      assert.unreachable(url);
    } catch (error) {
      assert.is((error as DeviceError).code, 'setting_refused');
      assert.match((error as DeviceError).message, /BANK_ADC_URL is ".*"; write http/);
    }
  }
  const { twin, adc } = ready(context);
  good((await adc({ url: `${twin.url}/` }).read([0]))[0]);
  const secret = adc({ url: twin.url?.replace('//', '//user:secret@') ?? '' });
  assert.is(secret.endpoint, `${twin.url}/api/v1/adc`);
  good((await secret.read([0]))[0]);
});

test('a channel that the bank cannot have is refused before it is asked', async (context) => {
  const error = await ready(context)
    .adc()
    .read([3 as BankChannel])
    .catch((thrown: DeviceError) => thrown);
  assert.is((error as DeviceError).code, 'value_out_of_range');
});

test.run();
