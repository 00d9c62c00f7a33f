import * as assert from 'uvu/assert';
import { SteppedClock } from '../../lib/clock/stepped-clock.ts';
import { suite } from '../../test-kit/suite.ts';
import { hexOf } from '../../transports/hex.ts';
import { BytePipe } from '../../transports/memory/byte-pipe.ts';
import { ScriptedPort } from '../../transports/memory/scripted-port.ts';
import { stepUntil } from '../../transports/memory/stepping.ts';
import type { DeviceError } from '../device-error.ts';
import { Dfr1184, type SelectionProof } from './driver.ts';
import { dfr1184InMemory } from './in-memory.ts';

const test = suite('dfr1184 driver');

const AT = '41 54 0D 0A';
const OK = '4F 4B 0D 0A';
const [SELECT_1, SELECT_2, SELECTED, SAMPLE] = ['CC 20 01 01', 'CC 20 01 02', 'BB 20 01', 'BB 31 03'];
const text = (line: string) => hexOf(Buffer.from(`${line}\r\n`));

class ScriptedModule extends ScriptedPort {
  override readonly baud = 9600;
}

/**
 * Runs `work` on a port with a script of (sent, received) pairs, none of which may be left over. The selection is proven
 * as `selectionProof` says; null: as the driver finds out.
 */
async function scripted<T>(
  script: [sent: string, received: string][],
  work: (adc: Dfr1184) => Promise<T>,
  selectionProof: SelectionProof | null = 'none',
) {
  const clock = new SteppedClock();
  const port = new ScriptedModule(script);
  const adc = new Dfr1184(port, { clock, ...(selectionProof && { rules: { selectionProof } }) });
  await adc.open();
  const end = await stepUntil(
    clock,
    work(adc).catch((error: DeviceError) => error),
  );
  assert.equal(port.deviations, []);
  await adc.close();
  assert.is(clock.pending, 0);
  return { end, adc, ms: clock.monotonic() };
}

test('DEV-016 the first sample after opening comes behind AT and OK', async () => {
  const { end } = await scripted(
    [
      [AT, OK],
      [SELECT_1, ''],
      [SAMPLE, '00 F8 0C'],
    ],
    (adc) => adc.read(1),
  );
  const { observedAt, ...sample } = end as { observedAt: number };
  assert.equal(sample, { input: 1, raw: 63_500, volts: 0.635, overRange: false, isProven: false });
  assert.type(observedAt, 'number');
});

test('both inputs are one job: select and sample, twice', async () => {
  const { end } = await scripted(
    [
      [AT, OK],
      [SELECT_1, ''],
      [SAMPLE, '0F 42 40'],
      [SELECT_2, ''],
      [SAMPLE, '0F 42 41'],
    ],
    (adc) => adc.readBoth(),
  );
  const pair = end as PromiseFulfilledResult<{ volts: number; overRange: boolean }>[];
  assert.equal(
    pair.map(({ value }) => [value.volts, value.overRange]),
    [
      [10, false],
      [10.00001, true],
    ],
  );
});

test('an impossible input does not take the value of the other one', async () => {
  const { end } = await scripted(
    [
      [AT, OK],
      [SELECT_1, ''],
      [SAMPLE, '00 F8 0C'],
      [SELECT_2, ''],
      [SAMPLE, 'FF FF FF'],
      [AT, OK],
      [SELECT_2, ''],
      [SAMPLE, 'FF FF FF'],
    ],
    (adc) => adc.readBoth(),
  );
  const [first, second] = end as [PromiseFulfilledResult<{ volts: number }>, PromiseRejectedResult];
  assert.is(first.value.volts, 0.635);
  assert.is(second.reason.code, 'corrupt_response');
  assert.is(second.reason.reason, 'range');
});

/** Answers that are refused, each followed by a resync and one repetition that is good. */
const refused: [title: string, answer: string, reason: string][] = [
  ['DEV-013 a fourth byte is an error', '00 F8 0C 00', 'extra'],
  ['DEV-013 a doubled answer is an error', '00 F8 0C 00 F8 0C', 'extra'],
  ['DEV-014 raw 1100001 is corrupt', '10 C8 E1', 'range'],
  ['DEV-014 raw 16777215 is corrupt', 'FF FF FF', 'range'],
  ['DEV-015 two bytes are an error, not a value', '00 F8', 'short'],
  ['DEV-015 one byte is an error, not 0 V', '00', 'short'],
  ['DEV-015 no byte is an error, not 0 V', '', 'no_reply'],
];
for (const [title, answer, reason] of refused) {
  test(`${title}; DEV-016 a resync precedes the next value`, async () => {
    const good: [string, string][] = [
      [AT, OK],
      [SELECT_2, ''],
      [SAMPLE, '01 59 B4'],
    ];
    const spoilt: [string, string][] = [
      [AT, OK],
      [SELECT_2, ''],
      [SAMPLE, answer],
    ];
    const { end } = await scripted([...spoilt, ...good], (adc) => adc.read(2));
    assert.is((end as { volts: number }).volts, 0.885);
    const twice = await scripted([...spoilt, ...spoilt], (adc) => adc.read(2));
    assert.is((twice.end as DeviceError).reason, reason);
    // The next caller begins with a resync too, since the last answer was no good one.
    const next = await scripted([...spoilt, ...spoilt, ...good], async (adc) => {
      await adc.read(2).catch(() => {});
      return adc.read(2);
    });
    assert.is((next.end as { volts: number }).volts, 0.885);
  });
}

test('DEV-014 raw 1100000, 11 V, is the last valid one', async () => {
  const { end } = await scripted(
    [
      [AT, OK],
      [SELECT_1, ''],
      [SAMPLE, '10 C8 E0'],
    ],
    (adc) => adc.read(1),
  );
  assert.is((end as { volts: number }).volts, 11);
});

/** What is not OK CR LF. The probe tries three resyncs and gives up; nothing but AT is ever sent. */
const notOk: [answer: string, reason: string][] = [
  ['', 'no_reply'],
  ['4F 4B', 'short'],
  ['4F 4B 0D', 'short'],
  ['4F 4B 0A 0D', 'not_ok'],
  ['6F 6B 0D 0A', 'not_ok'],
  ['4F 4B 0D 0A 00', 'extra'],
  ['4F 4B 0D 0A 4F 4B 0D 0A', 'extra'],
  ['00 4F 4B 0D 0A', 'extra'],
  [text('ERROR'), 'extra'],
];
for (const [answer, reason] of notOk) {
  test(`DEV-012 the probe does not take "${answer}" for OK`, async () => {
    const { end } = await scripted(
      [
        [AT, answer],
        [AT, answer],
        [AT, answer],
      ],
      (adc) => adc.probe({ deadlineMs: 10_000 }),
    );
    assert.is((end as DeviceError).reason, reason);
  });
}

test('DEV-012 a module in step is probed by one AT; a first bad answer is followed by a resync', async () => {
  await scripted([[AT, OK]], (adc) => adc.probe());
  await scripted(
    [
      [AT, OK],
      [AT, OK],
    ],
    async (adc) => {
      await adc.probe();
      await adc.probe();
    },
  );
  const { end, ms } = await scripted(
    [
      [AT, OK],
      [AT, `${OK} 00`],
      [AT, OK],
    ],
    async (adc) => {
      await adc.probe();
      return adc.probe();
    },
  );
  assert.is(end, undefined);
  assert.ok(ms >= 200, 'both resyncs begin with 100 ms of silence');
});

test('the text form names its input and is checked for it', async () => {
  const script = (...answers: string[]): [string, string][] =>
    answers.flatMap((answer) => [
      [AT, OK],
      [text('AT+AIN2=?'), answer],
    ]);
  const good = await scripted(script(text('AT+AIN2=885.00')), (adc) => adc.readText(2));
  const { observedAt, ...reading } = good.end as { observedAt: number };
  assert.equal(reading, { input: 2, raw: 88_500, volts: 0.885, overRange: false, isProven: true });
  assert.type(observedAt, 'number');

  const bad = [text('AT+AIN1=755.00'), `${text('AT+AIN2=885.00')} 00`, text('AT+AIN2=11000.01'), text('OK')];
  for (const answer of bad) {
    const { end } = await scripted(script(answer, answer), (adc) => adc.readText(2));
    assert.is((end as DeviceError).code, 'corrupt_response', answer);
  }
  const { end } = await scripted(script(text('ERROR')), (adc) => adc.readText(2));
  assert.is((end as DeviceError).code, 'device_error');
});

test('DEV-018 any bit rate but 9600 is refused before the port is touched', () => {
  for (const baud of [19200, 115200, 4800, 0, Number.NaN]) {
    const pipe = new BytePipe({ address: '/dev/serial0', baud: 9600 });
    const error = errorOf(() => new Dfr1184(pipe, { baud }));
    assert.is(error.code, 'setting_refused');
    assert.match(error.message, /\/dev\/serial0.*UARTADC_BAUDRATE/);
    assert.match(error.message, String(baud));
    assert.match(error.message, /set UARTADC_BAUDRATE=9600/);
    assert.is(pipe.opens, 0);
  }
  const other = new BytePipe({ address: 'serial:/dev/serial0?baud=19200', baud: 19200 });
  assert.match(errorOf(() => new Dfr1184(other)).message, /the address asks for 19200 baud/);
  assert.ok(new Dfr1184(new BytePipe({ baud: 9600 }), { baud: 9600 }));
});

test('DEV-017 at 9600 the module sees over 15 ms between the end of select and read; a sample takes 47 ms', async () => {
  const { clock, adc, step, twin } = dfr1184InMemory({ atLineRate: true });
  const heard: number[] = [];
  const receive = twin.receive.bind(twin);
  twin.receive = (bytes) => {
    heard.push(clock.monotonic());
    receive(bytes);
  };
  await adc.open();
  await step(adc.read(2));
  heard.length = 0;
  const startedAt = clock.monotonic();
  let tookMs = 0;
  const reading = adc.read(1).then(() => {
    tookMs = clock.monotonic() - startedAt;
  });
  await clock.advance(100);
  await reading;
  // Four bytes of the selection, three of its read-back, three of the request.
  const [, , , endOfSelect = 0, , , , firstOfRead = 0] = heard;
  // The first byte of the request is heard when its last bit has passed.
  const gapMs = firstOfRead - endOfSelect - 10_000 / 9600;
  assert.ok(gapMs > 15 && gapMs < 20, `${gapMs} ms`);
  assert.ok(tookMs > 45 && tookMs < 50, `${tookMs} ms`);
});

test('DEV-017 between the writing of select and read lie 20 ms', async () => {
  const { clock, adc, step, pipe } = dfr1184InMemory();
  const written: [string, number][] = [];
  pipe.onWritten((bytes) => written.push([hexOf(bytes), clock.monotonic()]));
  await adc.open();
  await step(adc.read(2));
  written.length = 0;
  for (const input of [1, 2] as const) {
    const startedAt = clock.monotonic();
    let endedAt = 0;
    const reading = adc.read(input).then(() => {
      endedAt = clock.monotonic();
    });
    await clock.advance(100);
    await reading;
    assert.is(endedAt - startedAt, 41);
  }
  const gaps = written.flatMap(([frame, atMs], index) =>
    frame === SAMPLE ? [atMs - (written[index - 2]?.[1] ?? 0)] : [],
  );
  assert.equal(gaps, [20, 20]);
});

test('DEV-017 a timer that fires early does not shorten the select wait', async () => {
  class HastyClock extends SteppedClock {
    override sleep(ms: number, signal?: AbortSignal): Promise<void> {
      return super.sleep(ms > 1 ? ms * 0.6 : ms, signal);
    }
  }
  const clock = new HastyClock();
  const port = new ScriptedModule([
    [AT, OK],
    [SELECT_1, ''],
    [SAMPLE, '00 F8 0C'],
  ]);
  const written: number[] = [];
  port.onWritten(() => written.push(clock.monotonic()));
  const adc = new Dfr1184(port, { clock, rules: { selectionProof: 'none' } });
  await adc.open();
  await stepUntil(clock, adc.read(1));
  const [, selectedAt = 0, readAt = 0] = written;
  assert.ok(readAt - selectedAt >= 20, `${readAt - selectedAt} ms`);
});

test('DEV-019 callers at the same time never interleave: each select is followed by its own read', async () => {
  const { adc, step, pipe } = dfr1184InMemory();
  await adc.open();
  await step(adc.read(1));
  const written: string[] = [];
  pipe.onWritten((bytes) => written.push(hexOf(bytes)));
  const samples = await step(Promise.all(([1, 2, 2, 1, 2] as const).map((input) => adc.read(input))));
  assert.equal(
    samples.map(({ input, volts }) => [input, volts]),
    [
      [1, 0.755],
      [2, 0.885],
      [2, 0.885],
      [1, 0.755],
      [2, 0.885],
    ],
  );
  assert.equal(
    written,
    [SELECT_1, SELECT_2, SELECT_2, SELECT_1, SELECT_2].flatMap((select) => [select, SELECTED, SAMPLE]),
  );
});

test('every result carries the time its last byte came', async () => {
  const { clock, adc, step } = dfr1184InMemory();
  await adc.open();
  await step(adc.read(2));
  const startedAt = clock.now();
  const { observedAt } = await step(adc.read(1));
  assert.is(observedAt - startedAt, 20 + 16);
});

function errorOf(make: () => unknown): DeviceError {
  try {
    make();
  } catch (error) {
    return error as DeviceError;
  }
  throw new Error('nothing was thrown');
}

test.run();
