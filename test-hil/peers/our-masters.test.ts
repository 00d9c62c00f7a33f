import * as assert from 'uvu/assert';
import type { DeviceError } from '../../src/devices/device-error.ts';
import { ModbusIo } from '../../src/devices/modbus-io/driver.ts';
import { appendCrc } from '../../src/devices/modbus-rtu/crc.ts';
import { RtuLine } from '../../src/devices/modbus-rtu/line.ts';
import type { QueuedMaster } from '../../src/devices/modbus-rtu/queued-master.ts';
import { checkReply } from '../../src/devices/modbus-rtu/reply.ts';
import { type ModbusRequest, unpackBits, unpackWords } from '../../src/devices/modbus-rtu/request.ts';
import { ModbusTcpMaster } from '../../src/devices/modbus-tcp/tcp-master.ts';
import { LibmodbusServer, libmodbusMissing } from '../../src/lab/device-benchmarks/libmodbus.ts';
import { suite } from '../../src/test-kit/suite.ts';
import { hexOf } from '../../src/transports/hex.ts';
import { openByteTransport } from '../../src/transports/open.ts';
import { TcpTransport } from '../../src/transports/tcp/tcp-transport.ts';

const test = suite('our masters on a libmodbus server');
const missing = libmodbusMissing();
const peerTest = test.needs(missing === undefined, missing ?? '');

const UNIT = 7;
const POINTS = 16;
const at = (address: number, count: number) => ({ unit: UNIT, address, count });

const failure = (promise: Promise<unknown>): Promise<DeviceError> =>
  promise.then(
    () => {
      throw new Error('it resolved');
    },
    (error: DeviceError) => error,
  );

async function onServer(kind: 'rtu' | 'tcp', work: (master: QueuedMaster) => Promise<void>): Promise<void> {
  const server = await LibmodbusServer.start(kind, UNIT);
  const master =
    kind === 'rtu'
      ? // Bytes take no time there: the server answers before a line could have carried the request.
        new RtuLine({
          transport: openByteTransport(`serial:${server.place}?pacing=none`, { baud: 19200 }),
          baud: 19200,
        })
      : new ModbusTcpMaster({
          transport: new TcpTransport({ host: '127.0.0.1', port: Number(server.place) }),
        });
  try {
    await master.open();
    await work(master);
  } finally {
    await master.close();
    await server.stop();
  }
}

for (const kind of ['rtu', 'tcp'] as const) {
  const read = (master: QueuedMaster, request: ModbusRequest) =>
    master.run((session) => session.read(request));
  const write = (master: QueuedMaster, request: ModbusRequest) =>
    master.run((session) => session.write(request));
  const coils = async (master: QueuedMaster) =>
    unpackBits(await read(master, { function: 0x01, ...at(0, POINTS) }), POINTS);

  peerTest(`DEV-029 ${kind}: all patterns of 8 coils, written at once and one by one, are read back`, () =>
    onServer(kind, async (master) => {
      for (let pattern = 0; pattern < 256; pattern++) {
        const bits = unpackBits(Uint8Array.of(pattern), 8);
        await write(master, { function: 0x0f, unit: UNIT, address: 0, bits });
        assert.equal((await coils(master)).slice(0, 8), bits);
      }
      for (let coil = 0; coil < POINTS; coil++) {
        for (const on of [true, false]) {
          await write(master, { function: 0x05, unit: UNIT, address: coil, on });
          assert.is((await coils(master))[coil], on);
        }
      }
    }),
  );

  peerTest(`DEV-029 ${kind}: inputs and registers have the server's values, and keep what is written`, () =>
    onServer(kind, async (master) => {
      const inputs = unpackBits(await read(master, { function: 0x02, ...at(0, POINTS) }), POINTS);
      assert.equal(
        inputs,
        Array.from({ length: POINTS }, (_, n) => n % 3 === 0),
      );
      const registers = async () => unpackWords(await read(master, { function: 0x03, ...at(0, POINTS) }));
      const wanted = Array.from({ length: POINTS }, (_, n) => 0x0100 * n + 0x5a);
      assert.equal(await registers(), wanted);
      for (const value of [0, 1, 0x7fff, 0x8000, 0xffff]) {
        await write(master, { function: 0x06, unit: UNIT, address: 3, value });
        wanted[3] = value;
        assert.equal(await registers(), wanted);
      }
      await write(master, { function: 0x10, unit: UNIT, address: 12, registers: [1, 0xfffe, 0x1234, 4] });
      wanted.splice(12, 4, 1, 0xfffe, 0x1234, 4);
      assert.equal(await registers(), wanted);
    }),
  );

  peerTest(`DEV-029 ${kind}: what the server refuses is exception 02 for every function`, () =>
    onServer(kind, async (master) => {
      const refused: ModbusRequest[] = [
        { function: 0x01, ...at(POINTS, 1) },
        { function: 0x02, ...at(9, 8) },
        { function: 0x03, ...at(0x1000, 8) },
        { function: 0x05, unit: UNIT, address: POINTS, on: true },
        { function: 0x06, unit: UNIT, address: POINTS, value: 1 },
        { function: 0x0f, unit: UNIT, address: 9, bits: unpackBits(Uint8Array.of(5), 8) },
        { function: 0x10, unit: UNIT, address: 15, registers: [1, 2] },
      ];
      for (const request of refused) {
        const error = await failure(request.function <= 3 ? read(master, request) : write(master, request));
        assert.equal([error.code, error.exception], ['modbus_exception', 2], `function ${request.function}`);
      }
    }),
  );

  peerTest(
    `DEV-031 DEV-032 ${kind}: the valve driver switches, warns about the missing modes, and reads back`,
    () =>
      onServer(kind, async (master) => {
        const io = new ModbusIo(master, { unit: UNIT });
        await io.start();
        assert.match(io.warnings.join(), /no output mode registers/);
        await io.setOutput(5, true);
        assert.equal(await io.readOutputs(), unpackBits(Uint8Array.of(0x20), 8));
        // Coil 00FF means all outputs on the Waveshare board only.
        assert.is((await failure(io.allOff())).exception, 2);
        assert.is((await io.readOutputs())[5], true);
      }),
  );

  // libmodbus keeps to its own unit id on a line; over TCP it answers as the one that is asked.
  if (kind === 'rtu') {
    peerTest('DEV-043 rtu: a unit that is not there is a time-out, and the next one is served', () =>
      onServer(kind, async (master) => {
        assert.is((await failure(new ModbusIo(master, { unit: UNIT + 1 }).probe())).code, 'device_timeout');
        await new ModbusIo(master, { unit: UNIT }).probe();
      }),
    );
  }
}

peerTest('DEV-029 the exceptions 01 and 03 of libmodbus on a line are the documented frames', async () => {
  const server = await LibmodbusServer.start('rtu', 1);
  const transport = openByteTransport(server.place, { baud: 19200 });
  await transport.open();
  const ask = (body: number[]) =>
    new Promise<Uint8Array>((resolve) => {
      let got: number[] = [];
      const leave = transport.onBytes((bytes) => {
        got = [...got, ...bytes];
        if (got.length < 5) return;
        leave();
        resolve(Uint8Array.from(got));
      });
      void transport.write(appendCrc(body));
    });
  try {
    const value = await ask([1, 5, 0, 0, 0x12, 0x34]);
    assert.is(hexOf(value), '01 85 03 02 91');
    assert.equal(checkReply({ function: 0x05, unit: 1, address: 0, on: true }, value), {
      state: 'exception',
      exception: 3,
    });
    const count = await ask([1, 1, 0, 0, 0x07, 0xd1]);
    assert.is(hexOf(count), hexOf(appendCrc([1, 0x81, 3])));
    // libmodbus takes a request of a function it does not know for one without data.
    const unknown = await ask([1, 0x2b]);
    assert.is(hexOf(unknown), hexOf(appendCrc([1, 0xab, 1])));
  } finally {
    await transport.close();
    await server.stop();
  }
});

test.run();
