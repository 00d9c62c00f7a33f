import { getEventListeners } from 'node:events';
import * as assert from 'uvu/assert';
import { SteppedClock } from '../../lib/clock/stepped-clock.ts';
import { seededRandom } from '../../lib/random/seeded-random.ts';
import { suite } from '../../test-kit/suite.ts';
import { HidPipe } from '../../transports/memory/hid-pipe.ts';
import { stepUntil } from '../../transports/memory/stepping.ts';
import type { DeviceError } from '../device-error.ts';
import { Exchanger, type ExchangerOptions } from './exchanger.ts';
import { decodeFactorySerial, decodeFlashString, FLASH, readFlash } from './protocol/flash.ts';
import { getGpio } from './protocol/gpio.ts';
import type { Request } from './protocol/request.ts';
import { getSram, setUpAdc } from './protocol/sram.ts';
import { decodeStatus, status } from './protocol/status.ts';
import { ReplyMatching } from './reply-matching.ts';
import { noStatistics } from './statistics.ts';
import { Mcp2221aTwin } from './twin.ts';

const test = suite('mcp2221a exchanges');

async function exchanging(
  rules: Pick<ExchangerOptions, 'syncRequests' | 'earliestAnswerMs'> = {},
  clock = new SteppedClock(),
) {
  const pipe = new HidPipe();
  const twin = new Mcp2221aTwin({ clock, random: seededRandom(1) });
  twin.connect((report) => pipe.send(report));
  const sent: number[] = [];
  pipe.onWritten((report) => {
    sent.push(report[0] ?? 0);
    twin.receive(report);
  });
  const statistics = noStatistics();
  const exchanger = new Exchanger({ transport: pipe, clock, statistics, ...rules });
  pipe.onReport((report) => exchanger.received(report));
  pipe.onClosed((cause) => exchanger.lost(cause));
  await pipe.open();
  const { signal } = new AbortController();
  const step = <T>(promise: Promise<T>) => stepUntil(clock, promise);
  const ask = (request: Request) => step(exchanger.exchange(request, signal));
  const askAgain = (request: Request) => step(exchanger.repeat(request, signal));
  return { clock, pipe, twin, sent, statistics, exchanger, signal, ask, askAgain, step };
}

/** The clock of a program whose timers fire late, all of them. */
class HeldUpClock extends SteppedClock {
  heldUpUntilMs = 0;

  override after(ms: number, action: () => void): () => void {
    return super.after(Math.max(ms, this.heldUpUntilMs - this.monotonic()), action);
  }
}

test('a program that is held up until after the time-out takes the answer that came meanwhile, and still sees silence', async () => {
  for (const isSilent of [false, true]) {
    const clock = new HeldUpClock();
    const { exchanger, pipe, twin, signal, step } = await exchanging({}, clock);
    let answer = (_: Uint8Array) => {};
    twin.connect((report) => answer(report));
    clock.heldUpUntilMs = clock.monotonic() + 400;
    const asked = exchanger.exchange(status(), signal).then(
      () => 'answered',
      ({ reason }: DeviceError) => reason,
    );
    // The timer of the time-out is the first to fire; what the twin has answered is fetched behind it.
    answer = (report) => {
      if (!isSilent) clock.after(0, () => pipe.send(report));
    };
    assert.is(await step(asked), isSilent ? 'no_reply' : 'answered');
    assert.is(clock.pending, 0);
  }
});

test('a doubled answer to one flash page is not taken for the next page', async () => {
  const second = async (syncRequests: boolean) => {
    const { exchanger, signal, step, twin } = await exchanging({ syncRequests });
    twin.faultOnce({ doubled: true });
    const first = exchanger.exchange(readFlash(FLASH.manufacturer), signal);
    return decodeFlashString(
      await step(first.then(() => exchanger.exchange(readFlash(FLASH.product), signal))),
    );
  };
  assert.is(await second(true), 'MCP2221 USB-I2C/UART Combo');
  assert.is(await second(false), 'Microchip Technology Inc.', 'the same without sync requests is found out');
});

test('a late answer to a given-up request is not taken for the same request later', async () => {
  const second = async (syncRequests: boolean) => {
    const { ask, twin } = await exchanging({ syncRequests });
    twin.faultOnce({ late_ms: 350 });
    const error = await ask(readFlash(FLASH.manufacturer)).catch((thrown: DeviceError) => thrown);
    assert.is((error as DeviceError).reason, 'no_reply');
    return decodeFlashString(await ask(readFlash(FLASH.product)));
  };
  assert.is(await second(true), 'MCP2221 USB-I2C/UART Combo');
  assert.is(await second(false), 'Microchip Technology Inc.', 'the same without sync requests is found out');
});

test('given up again and again, each time with another sync request, until there is none; after 5 s it goes on', async () => {
  const { ask, twin, sent, clock, statistics } = await exchanging();
  twin.faultEach(() => ({ silent: true }));
  const reasons: (string | undefined)[] = [];
  for (let tries = 0; tries < 5; tries++) {
    const error = await ask(readFlash(FLASH.factorySerial)).catch((thrown: DeviceError) => thrown);
    reasons.push((error as DeviceError).reason);
  }
  assert.equal(reasons, ['no_reply', 'no_reply', 'no_reply', 'no_reply', 'owed']);
  assert.equal(sent, [0xb0, 0x61, 0x10, 0x51]);
  twin.faultEach(undefined);
  await clock.advance(5000);
  assert.is(decodeFactorySerial(await ask(readFlash(FLASH.factorySerial))), '01234567');
  assert.is(statistics.timeouts, 4);
});

test('in a row, a doubled report comes sooner than a chip can answer and is found out by that', async () => {
  const second = async (rules: Pick<ExchangerOptions, 'earliestAnswerMs'>) => {
    const { ask, exchanger, signal, step, twin } = await exchanging(rules);
    await ask(setUpAdc('vdd', 0x02));
    twin.knobs.patch({ g1_v: 1 });
    twin.faultOnce({ doubled: true });
    const row = async () => {
      await exchanger.exchange(status(), signal);
      twin.knobs.patch({ g1_v: 2 });
      const { adc } = decodeStatus(await exchanger.repeat(status(), signal));
      return { raw: adc[0], unexpectedReplies: exchanger.unexpectedReplies };
    };
    return step(row());
  };
  assert.equal(await second({}), { raw: 620, unexpectedReplies: 1 });
  assert.equal(
    await second({ earliestAnswerMs: 0 }),
    { raw: 310, unexpectedReplies: 0 },
    'the same without the rule is found out: the old value is taken',
  );
});

test('should a chip ever answer at once, a row goes on behind a sync request and not after a time-out', async () => {
  const { ask, askAgain, pipe, twin, clock, statistics } = await exchanging();
  await ask(status());
  twin.connect(() => {});
  pipe.onWritten(() => pipe.send(Uint8Array.from({ length: 64 }, (_, index) => (index === 0 ? 0x10 : 0))));
  const startedAt = clock.monotonic();
  await askAgain(status());
  assert.ok(clock.monotonic() - startedAt <= 30);
  assert.equal([statistics.early, statistics.timeouts], [1, 0]);
});

test('a write that fails and a device that goes away end the exchange at once', async () => {
  const { ask, pipe, exchanger, clock, step } = await exchanging();
  await pipe.close();
  const closed = await ask(status()).catch((error: DeviceError) => error);
  assert.equal(
    [(closed as DeviceError).code, (closed as DeviceError).reason],
    ['device_unavailable', 'write_failed'],
  );
  await pipe.open();
  const going = exchanger
    .exchange(getGpio(), new AbortController().signal)
    .catch((error: DeviceError) => error);
  pipe.unplug();
  const gone = await step(going);
  assert.equal(
    [(gone as DeviceError).code, (gone as DeviceError).reason],
    ['device_unavailable', 'port_gone'],
  );
  assert.is(clock.pending, 1, 'the timer of the twin, which had not answered yet, and none of the exchange');
});

test('an exchange leaves no listener at the signal of its caller', async () => {
  const { ask, askAgain, signal } = await exchanging();
  await ask(status());
  await askAgain(status());
  assert.is(getEventListeners(signal, 'abort').length, 0);
});

test('trust: a code can be mistaken after its own answer, and while an answer to it is owed, for 5 s', () => {
  let now = 0;
  const trust = new ReplyMatching(() => now);
  const [sram, stat] = [getSram().command, status().command];
  assert.is(trust.isMistakable(sram), false);
  trust.sent(sram);
  trust.answered(sram);
  assert.equal([trust.isMistakable(sram), trust.isMistakable(stat)], [true, false]);
  assert.is(trust.syncRequestFor(sram)?.command, stat);
  trust.sent(stat);
  assert.is(trust.isMistakable(stat), true);
  now = 4999;
  assert.is(trust.isMistakable(stat), true);
  now = 5000;
  assert.is(trust.isMistakable(stat), false);
  trust.sent(stat);
  trust.sent(sram);
  trust.answered(sram);
  assert.is(trust.isMistakable(stat), false, 'what was asked before an answered request is answered or lost');
  trust.sent(stat);
  trust.gone();
  assert.equal([trust.isMistakable(sram), trust.isMistakable(stat)], [false, false]);
});

test.run();
