import * as assert from 'uvu/assert';
import { SteppedClock } from '../../lib/clock/stepped-clock.ts';
import { seededRandom } from '../../lib/random/seeded-random.ts';
import { suite } from '../../test-kit/suite.ts';
import { bytesOf, hexOf } from '../../transports/hex.ts';
import { appendCrc } from '../modbus-rtu/crc.ts';
import type { TwinEvent } from '../twin-event.ts';
import { ModbusIoTwin } from './twin.ts';

const test = suite('modbus-io twin');

const READ = [1, 1, 0, 0, 0, 8];
const setMode = (output: number, mode: number) => [1, 6, 0x10, output, 0, mode];

function bench() {
  const clock = new SteppedClock();
  const events: TwinEvent[] = [];
  const twin = new ModbusIoTwin({
    clock,
    random: seededRandom(1),
    listener: (event) => events.push(event),
  });
  let answer = '';
  twin.slave.connect((bytes) => {
    answer += hexOf(bytes);
  });
  /** @returns the answer, CRC included; '' for silence */
  const ask = async (body: number[] | string) => {
    answer = '';
    twin.slave.receive(typeof body === 'string' ? bytesOf(body) : appendCrc(body));
    await clock.advance(60);
    return answer;
  };
  const input = (index: number, level: boolean) =>
    twin.knobs.patch({ inputs: twin.inputs.map((old, other) => (other === index ? level : old)) });
  return { clock, twin, events, ask, input };
}

test('DEV-045 flash-on ends by itself after value x 100 ms, flash-off too', async () => {
  const { clock, twin } = bench();
  twin.slave.receive(bytesOf('01 05 02 00 00 07 8D B0'));
  assert.is(twin.coils[0], true);
  await clock.advance(699);
  assert.is(twin.coils[0], true);
  await clock.advance(1);
  assert.is(twin.coils[0], false);
  twin.force(3, true);
  twin.slave.receive(appendCrc([1, 5, 4, 3, 0, 2]));
  assert.is(twin.coils[3], false);
  await clock.advance(200);
  assert.is(twin.coils[3], true);
});

test('a plain command ends a flash', async () => {
  const { clock, twin, ask } = bench();
  await ask('01 05 02 00 00 07 8D B0');
  await ask('01 05 00 00 FF 00 8C 3A');
  await clock.advance(2000);
  assert.is(twin.coils[0], true);
  assert.is(clock.pending, 0);
});

test('DEV-045 mode 1: the output follows its input, whatever is commanded', async () => {
  const { twin, ask, input } = bench();
  input(2, true);
  assert.is(twin.coils[2], false);
  await ask(setMode(2, 1));
  assert.is(twin.coils[2], true);
  assert.is(await ask('01 05 00 02 00 00 6C 0A'), '01 05 00 02 00 00 6C 0A');
  assert.is(twin.coils[2], true);
  input(2, false);
  assert.is(twin.coils[2], false);
});

test('DEV-045 mode 2: each rising edge of the input toggles the output', async () => {
  const { twin, ask, input } = bench();
  await ask(setMode(5, 2));
  const seen = [true, false, true, false].map((level) => {
    input(5, level);
    return twin.coils[5];
  });
  assert.equal(seen, [true, true, false, false]);
});

test('DEV-045 mode 3: each edge of the input toggles the output', async () => {
  const { twin, ask, input } = bench();
  await ask(setMode(5, 3));
  const seen = [true, false, true, false].map((level) => {
    input(5, level);
    return twin.coils[5];
  });
  assert.equal(seen, [true, false, true, false]);
});

test('DEV-045 mode 0: inputs move nothing and are read with FC02', async () => {
  const { twin, ask, input } = bench();
  input(0, true);
  input(7, true);
  assert.is(await ask('01 02 00 00 00 08 79 CC'), hexOf(appendCrc([1, 2, 1, 0x81])));
  assert.not.ok(twin.coils.includes(true));
});

test('DEV-045 a new baud rate is answered at the old one; then only the new one is understood', async () => {
  const { twin, ask } = bench();
  const to115200 = [1, 6, 0x20, 0, 0, 5];
  assert.is(await ask(to115200), hexOf(appendCrc(to115200)));
  assert.is(await ask(READ), '');
  twin.setLine({ baud: 115_200 });
  assert.is(await ask('01 03 20 00 00 01 8F CA'), hexOf(appendCrc([1, 3, 2, 0, 5])));
  twin.setLine({ parity: 'even' });
  assert.is(await ask(READ), '');
});

test('DEV-045 a broadcast sets the baud rate in silence', async () => {
  const { twin, ask } = bench();
  assert.is(await ask('00 06 20 00 00 05 43 D8'), '');
  assert.is(twin.knobs.value.baud, 115_200);
  assert.is(await ask(READ), '');
});

test('DEV-045 line settings that the board does not have are refused with exception 03', async () => {
  const { twin, ask } = bench();
  for (const value of [0x0008, 0x0302]) {
    assert.is(await ask([1, 6, 0x20, 0, value >> 8, value & 0xff]), hexOf(appendCrc([1, 0x86, 3])));
  }
  assert.equal([twin.knobs.value.baud, twin.knobs.value.parity], [19_200, 'none']);
});

test('DEV-045 a new unit id holds from the next request on', async () => {
  const { ask } = bench();
  await ask([1, 6, 0x40, 0, 0, 2]);
  assert.is(await ask('01 01 00 00 00 01 FD CA'), '');
  assert.is(await ask('02 05 00 00 FF 00 8C 09'), '02 05 00 00 FF 00 8C 09');
  assert.is(await ask('02 01 00 00 00 01 FD F9'), hexOf(appendCrc([2, 1, 1, 1])));
});

test('DEV-045 silent does as asked, deaf does nothing; both answer nothing, broadcasts included', async () => {
  const { twin, ask, events } = bench();
  twin.knobs.patch({ silent: true });
  assert.is(await ask('01 05 00 00 FF 00 8C 3A'), '');
  assert.is(twin.coils[0], true);
  twin.knobs.patch({ silent: false, deaf: true });
  assert.is(await ask('01 05 00 01 FF 00 DD FA'), '');
  assert.is(await ask([0, 5, 0, 1, 0xff, 0]), '');
  assert.is(twin.coils[1], false);
  assert.ok(events.some((event) => event.kind === 'in' && event.note === 'deaf: not heard'));
});

test('DEV-045 a fault for one answer only: the next one is sound', async () => {
  const { twin, ask } = bench();
  twin.slave.faultOnce({ deaf: true }, { silent: true });
  assert.is(await ask('01 05 00 00 FF 00 8C 3A'), '');
  assert.is(twin.coils[0], false);
  assert.is(await ask('01 05 00 00 FF 00 8C 3A'), '');
  assert.is(twin.coils[0], true);
  assert.is(await ask(READ), '01 01 01 01 90 48');
});

test('reset is the board after its power came back', async () => {
  const { twin, ask, input, clock } = bench();
  await ask(setMode(1, 1));
  input(1, true);
  await ask('01 05 02 00 00 07 8D B0');
  twin.knobs.patch({ coil_stuck: [1] });
  twin.reset();
  assert.not.ok(twin.coils.includes(true));
  assert.equal(twin.knobs.value.modes, [0, 0, 0, 0, 0, 0, 0, 0]);
  assert.is(clock.pending, 0);
});

test('a board at another bit rate takes the time of that rate for its answer', async () => {
  const took = async (baud: 9600 | 19200) => {
    const clock = new SteppedClock();
    const twin = new ModbusIoTwin({ clock, random: seededRandom(1), lineClock: clock });
    twin.knobs.patch({ baud });
    twin.slave.setLine({ baud });
    const startedAt = clock.monotonic();
    let answeredAt: number | undefined;
    twin.slave.connect(() => {
      answeredAt ??= clock.monotonic();
    });
    twin.slave.receive(appendCrc(READ));
    for (let ms = 0; answeredAt === undefined && ms < 100; ms++) await clock.advance(1);
    return (answeredAt ?? Number.NaN) - startedAt;
  };
  const [slow, fast] = [await took(9600), await took(19200)];
  // 8 bytes there and 6 back, of 10 bits.
  assert.ok(slow >= 14.5 && fast >= 7.2, `${slow} and ${fast} ms`);
  assert.ok(slow >= 1.8 * fast, `${slow} and ${fast} ms`);
});

test.run();
