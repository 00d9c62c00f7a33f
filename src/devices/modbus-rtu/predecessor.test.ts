import * as assert from 'uvu/assert';
import { SteppedClock } from '../../lib/clock/stepped-clock.ts';
import { seededRandom } from '../../lib/random/seeded-random.ts';
import { suite } from '../../test-kit/suite.ts';
import { hexOf } from '../../transports/hex.ts';
import { BytePipe } from '../../transports/memory/byte-pipe.ts';
import { stepUntil } from '../../transports/memory/stepping.ts';
import { RtuLine } from './line.ts';
import { isIndistinguishableFrom } from './reply.ts';
import { encodeRequest, type ModbusRequest } from './request.ts';
import { Responder } from './responder.ts';
import { RtuSlave } from './slave.ts';
import { ModbusUnit } from './unit.ts';

const test = suite('modbus rtu: an answer owed to a process before this one');

const readWord = (address: number): ModbusRequest => ({ function: 0x03, unit: 1, address, count: 1 });
const readWords: ModbusRequest = { function: 0x03, unit: 1, address: 0, count: 3 };
const writeWord = (value: number): ModbusRequest => ({ function: 0x06, unit: 1, address: 2, value });
const OWED_MS = 40;

/**
 * A device with a few registers that was asked something by a process that is no more, and answers it late. Register
 * 100 has counted up before each reading, so that an old answer is a wrong one.
 */
async function killedAfter(request: ModbusRequest | undefined) {
  const clock = new SteppedClock();
  const pipe = new BytePipe({ baud: 19200 });
  let value = 1;
  const registers = [0xaaaa, 0xbbbb, 0xcccc];
  const heard: number[] = [];
  const responder = new Responder({
    unit: () => 1,
    handle: (functionCode, data) => {
      const [, address = 0, , count = 0] = data;
      heard.push(functionCode * 100 + count);
      if (functionCode !== 0x03) return [...data];
      const words = Array.from({ length: count }, (_, index) =>
        address === 100 ? value : (registers[address + index] ?? 0),
      );
      return [2 * count, ...words.flatMap((word) => [word >> 8, word & 0xff])];
    },
    lasting: () => ({}),
  });
  const slave = new RtuSlave({
    clock,
    random: seededRandom(1),
    responder,
    listener: () => {},
    turnaroundMs: 8,
  });
  slave.connect((bytes) => pipe.send(bytes));
  pipe.onWritten((bytes) => slave.receive(bytes));
  if (request) {
    slave.faultOnce({ late_ms: OWED_MS });
    slave.receive(encodeRequest(request));
  }
  const line = new RtuLine({ transport: pipe, baud: 19200, clock });
  await line.open();
  const unit = new ModbusUnit(line, 'device', 1);
  const counter = (how: 'behind a sync request' | 'bare' | 'bare, then behind a sync request') => {
    value += 1;
    const reading = unit.run(async (session) => {
      const bare = how === 'behind a sync request' ? undefined : await session.read(readWord(100));
      return how === 'bare' && bare ? bare : (await unit.read(session, readWord(100), readWords)).data;
    }, {});
    return stepUntil(clock, reading).then(hexOf);
  };
  heard.length = 0;
  return { clock, line, unit, counter, heard };
}

test('DEV-030 a reading that comes first is not the answer owed to a killed process', async () => {
  const { counter } = await killedAfter(readWord(100));
  assert.is(await counter('behind a sync request'), '00 02');
  assert.is(await counter('behind a sync request'), '00 03');
});

test('DEV-030 without the sync request it is, and every later reading is one behind', async () => {
  const { counter } = await killedAfter(readWord(100));
  assert.is(await counter('bare'), '00 01');
  assert.is(await counter('bare'), '00 02');
});

test('DEV-030 also when the owed answer has the shape of the sync request', async () => {
  const { counter, line } = await killedAfter(readWords);
  // The sync request takes it; its own answer then spoils the reading, which is asked anew when the line was left alone.
  assert.is(await counter('behind a sync request'), '00 02');
  assert.is(line.statistics.corrupt, 1);
  assert.is(await counter('behind a sync request'), '00 03');
});

test('DEV-030 an answer of the same shape before it proves nothing', async () => {
  const { counter } = await killedAfter(readWord(100));
  assert.is(await counter('bare, then behind a sync request'), '00 02');
});

test('a start is not slowed down: one sync request, once, and no waiting', async () => {
  const { clock, counter, heard } = await killedAfter(undefined);
  assert.is(await counter('behind a sync request'), '00 02');
  assert.ok(clock.monotonic() < 30, `${clock.monotonic()} ms`);
  assert.is(await counter('behind a sync request'), '00 03');
  assert.equal(heard, [303, 301, 301]);
});

test('DEV-031 DEV-044 a safe write and its read-back prove themselves: no sync request, no waiting on a sound line', async () => {
  for (const owed of [undefined, writeWord(0), readWord(100)]) {
    const { clock, unit, heard } = await killedAfter(owed);
    const startedAt = clock.monotonic();
    const word = await stepUntil(
      clock,
      unit.run(
        async (session) => {
          const write = () => session.write(writeWord(0));
          // As the drivers do: a write without a reply of its own is read back and repeated.
          await write().catch(async () => {
            await unit.read(session, readWord(100), readWords);
            await write();
          });
          return (await unit.read(session, readWord(100), readWords)).data;
        },
        { priority: 'safe' },
      ),
    );
    assert.is.not(hexOf(word), '00 00');
    if (owed !== undefined) continue;
    assert.is(heard.includes(303), false);
    assert.ok(clock.monotonic() - startedAt < 30);
  }
});

test('DEV-030 DEV-059 a line that was open for the 10 s of the slowest device needs no sync request', async () => {
  const { clock, counter, heard } = await killedAfter(readWord(100));
  await clock.advance(10_001);
  assert.is(await counter('behind a sync request'), '00 02');
  assert.equal(heard, [301]);
});

test('two answers can be distinguished by unit, function, length and echo', () => {
  const table: [ModbusRequest, ModbusRequest, boolean][] = [
    [readWord(0), readWord(1), true],
    [readWord(0), readWords, false],
    [readWord(0), { ...readWord(0), unit: 2 }, false],
    [readWord(0), writeWord(0), false],
    [writeWord(0), writeWord(0), true],
    [writeWord(0), writeWord(1), false],
    [
      { function: 0x01, unit: 1, address: 0, count: 1 },
      { function: 0x01, unit: 1, address: 0, count: 8 },
      true,
    ],
    [
      { function: 0x0f, unit: 1, address: 0, bits: [true] },
      { function: 0x0f, unit: 1, address: 0, bits: [false] },
      true,
    ],
  ];
  for (const [earlier, later, could] of table) assert.is(isIndistinguishableFrom(earlier, later), could);
});

test.run();
