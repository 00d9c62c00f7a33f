import { execFile, execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import ModbusRTU from 'modbus-serial';
import * as assert from 'uvu/assert';
import { Dri0050Twin } from '../devices/dri0050/twin.ts';
import { ModbusIoTwin } from '../devices/modbus-io/twin.ts';
import { packBits, unpackBits } from '../devices/modbus-rtu/request.ts';
import { LibmodbusClient, libmodbusMissing, type Place } from '../lab/device-benchmarks/libmodbus.ts';
import { systemClock } from '../lib/clock/clock.ts';
import { seededRandom } from '../lib/random/seeded-random.ts';
import { suite } from '../test-kit/suite.ts';
import { SerialSocket } from './pty/serial-socket.ts';
import { ModbusTcpSocket } from './tcp/modbus-tcp-socket.ts';

interface Context {
  folder: string;
  valves: ModbusIoTwin;
  pump: Dri0050Twin;
  places: Record<'rtu' | 'tcp', Place>;
  pumpPort: string;
  close: (() => Promise<unknown>)[];
}

const test = suite<Context>('independent masters on the twins');
const OFF = new Array<boolean>(8).fill(false);

test.before.each(async (context) => {
  context.folder = mkdtempSync(join(tmpdir(), 'svc-peers-test-'));
  const clock = systemClock;
  context.valves = new ModbusIoTwin({ clock, random: seededRandom(1) });
  context.pump = new Dri0050Twin({ clock, random: seededRandom(1) });
  const [path, pumpPort] = [join(context.folder, 'modbus-io'), join(context.folder, 'pump')];
  const line = { clock, atLineRate: false };
  const sockets = [
    new SerialSocket({ ...line, link: path, slave: context.valves.slave, baud: 19200 }),
    new SerialSocket({ ...line, link: pumpPort, slave: context.pump.slave, baud: 9600 }),
  ];
  for (const socket of sockets) await socket.want({ plugged: true });
  const tcp = new ModbusTcpSocket({ responder: context.valves.responder, clock });
  const port = await tcp.open();
  context.pumpPort = pumpPort;
  context.places = {
    rtu: { kind: 'rtu', path, baud: 19200, unit: 1 },
    tcp: { kind: 'tcp', host: '127.0.0.1', port, unit: 1 },
  };
  context.close = [...sockets.map((socket) => () => socket.want({ plugged: false })), () => tcp.close()];
});

test.after.each(async ({ close, valves, pump, folder }) => {
  for (const step of close) await step();
  valves.slave.reset();
  pump.slave.reset();
  rmSync(folder, { recursive: true, force: true });
});

async function modbusSerial(path: string, baudRate: number, unit: number): Promise<ModbusRTU> {
  const client = new ModbusRTU();
  await client.connectRTUBuffered(path, { baudRate });
  client.setID(unit);
  client.setTimeout(2000);
  return client;
}

const close = (client: ModbusRTU) => new Promise<void>((resolve) => client.close(() => resolve()));

test('DEV-045 modbus-serial reads and switches the valve twin', async ({ valves, folder }) => {
  const client = await modbusSerial(join(folder, 'modbus-io'), 19200, 1);
  try {
    await client.writeCoil(2, true);
    await client.writeCoils(4, [true, true]);
    assert.equal((await client.readCoils(0, 8)).data, [false, false, true, false, true, true, false, false]);
    assert.equal(valves.coils, [false, false, true, false, true, true, false, false]);
    assert.equal((await client.readDiscreteInputs(0, 8)).data, OFF);
    assert.equal((await client.readHoldingRegisters(0x1000, 8)).data, new Array<number>(8).fill(0));
    assert.equal((await client.readHoldingRegisters(0x8000, 1)).data, [200]);
    await client.writeRegisters(0x1000, [2, 0]);
    assert.equal((await client.readHoldingRegisters(0x1000, 2)).data, [2, 0]);
    await client.writeCoil(8, true).then(
      () => assert.unreachable('coil 8 was accepted'),
      (error: { modbusCode: number }) => assert.is(error.modbusCode, 2),
    );
  } finally {
    await close(client);
  }
});

test('DEV-045 modbus-serial works the pump twin', async ({ pump, pumpPort }) => {
  const client = await modbusSerial(pumpPort, 9600, 0x32);
  try {
    assert.equal((await client.readHoldingRegisters(0, 2)).data, [0xc032, 0x3343]);
    await client.writeRegister(6, 51);
    await client.writeRegister(8, 1);
    assert.equal((await client.readHoldingRegisters(6, 3)).data, [51, 45, 1]);
    assert.is(pump.output.fraction, 0.2);
  } finally {
    await close(client);
  }
});

function isInstalled(program: string): boolean {
  try {
    execFileSync('which', [program], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

const mbpollTest = test.needs(isInstalled('mbpoll'), 'the Debian package mbpoll is not installed');

/** Runs mbpoll once, on RTU or on TCP. @returns its values, or the text of the exception */
async function mbpoll(place: Place, options: string[], values: number[] = []): Promise<string> {
  const line =
    place.kind === 'rtu'
      ? ['-m', 'rtu', '-b', String(place.baud), '-P', 'none', place.path]
      : ['-m', 'tcp', '-p', String(place.port), place.host];
  const target = line.splice(-1);
  const args = [
    ...line,
    '-a',
    String(place.unit),
    '-0',
    '-1',
    '-q',
    ...options,
    ...target,
    ...values.map(String),
  ];
  const { stdout, stderr } = await promisify(execFile)('mbpoll', args).catch(
    (error: { stdout: string; stderr: string }) => error,
  );
  const failed = /(?:read|write) [^:]*(?:failed|error)[^:]*: (.*)$/im.exec(stdout + stderr)?.[1];
  return failed ?? [...stdout.matchAll(/^\[\d+\]:\s+(\d+)/gm)].map(([, value]) => value).join(' ');
}

for (const kind of ['rtu', 'tcp'] as const) {
  mbpollTest(
    `DEV-045 mbpoll (${kind}) works all outputs, inputs and registers of the valve twin`,
    async (context) => {
      const { valves } = context;
      const place = context.places[kind];
      for (let coil = 0; coil < 8; coil++) {
        await mbpoll(place, ['-t', '0', '-r', String(coil)], [1]);
        assert.equal(
          valves.coils,
          OFF.map((_, index) => index <= coil),
        );
      }
      for (const pattern of [0x00, 0x55, 0xaa, 0x81, 0xff]) {
        const bits = unpackBits(Uint8Array.of(pattern), 8).map(Number);
        await mbpoll(place, ['-t', '0', '-r', '0'], bits);
        assert.is(packBits(valves.coils)[0], pattern);
        assert.is(await mbpoll(place, ['-t', '0', '-r', '0', '-c', '8']), bits.join(' '));
      }
      valves.knobs.patch({ inputs: unpackBits(Uint8Array.of(0x96), 8) });
      assert.is(await mbpoll(place, ['-t', '1', '-r', '0', '-c', '8']), '0 1 1 0 1 0 0 1');
      await mbpoll(place, ['-t', '4', '-r', String(0x1000)], [0, 2, 3, 0]);
      await mbpoll(place, ['-t', '4', '-r', String(0x1007)], [2]);
      assert.is(await mbpoll(place, ['-t', '4', '-r', String(0x1000), '-c', '8']), '0 2 3 0 0 0 0 2');
      assert.is(await mbpoll(place, ['-t', '4', '-r', String(0x8000)]), '200');
      assert.match(await mbpoll(place, ['-t', '0', '-r', '8']), /Illegal data address/);
      assert.match(await mbpoll(place, ['-t', '4', '-r', String(0x1000)], [4]), /Illegal data value/);
    },
  );
}

const missing = libmodbusMissing();
const libmodbusTest = test.needs(missing === undefined, missing ?? '');

for (const kind of ['rtu', 'tcp'] as const) {
  const withClient = async (
    context: Context,
    work: (ask: (line: string) => Promise<string>) => Promise<void>,
  ) => {
    const client = new LibmodbusClient(context.places[kind]);
    try {
      await work((line) => client.ask(line));
    } finally {
      await client.close();
    }
  };

  libmodbusTest(`DEV-045 libmodbus in C (${kind}) switches and reads all 256 patterns`, (context) =>
    withClient(context, async (ask) => {
      for (let pattern = 0; pattern < 256; pattern++) {
        const bits = unpackBits(Uint8Array.of(pattern), 8).map(Number).join(' ');
        assert.is(await ask(`15 0 ${bits}`), 'ok');
        assert.is(packBits(context.valves.coils)[0], pattern);
        assert.is(await ask('1 0 8'), `ok ${bits}`);
        context.valves.knobs.patch({ inputs: unpackBits(Uint8Array.of(pattern), 8) });
        assert.is(await ask('2 0 8'), `ok ${bits}`);
      }
    }),
  );

  libmodbusTest(`DEV-045 libmodbus in C (${kind}) works single outputs and registers`, (context) =>
    withClient(context, async (ask) => {
      for (let coil = 0; coil < 8; coil++) {
        assert.is(await ask(`5 ${coil} 1`), 'ok');
        assert.is(await ask(`1 ${coil} 1`), 'ok 1');
        assert.is(context.valves.coils.filter(Boolean).length, 1);
        assert.is(await ask(`5 ${coil} 0`), 'ok');
      }
      assert.is(await ask('5 0xFF 1'), 'ok');
      assert.equal(
        context.valves.coils,
        OFF.map(() => true),
      );
      assert.is(await ask('6 0x1003 3'), 'ok');
      assert.is(await ask('3 0x1000 8'), 'ok 0 0 0 3 0 0 0 0');
      assert.is(await ask('16 0x1000 0 2 3 0 2 3 0 2'), 'ok');
      assert.is(await ask('3 0x1000 8'), 'ok 0 2 3 0 2 3 0 2');
      assert.is(await ask('3 0x2000 1'), 'ok 2');
      assert.is(await ask('3 0x4000 1'), 'ok 1');
      assert.is(await ask('3 0x8000 1'), 'ok 200');
    }),
  );

  libmodbusTest(`DEV-045 libmodbus in C (${kind}) is given the exceptions 01, 02, 03 and 04`, (context) =>
    withClient(context, async (ask) => {
      for (const line of [
        '1 8 1',
        '1 1 8',
        '2 8 1',
        '5 8 1',
        '15 4 1 1 1 1 1',
        '3 0 1',
        '6 0 1',
        '16 0x1007 0 0',
      ])
        assert.is(await ask(line), 'exception 2', line);
      assert.is(await ask('6 0x1000 4'), 'exception 3');
      assert.match(await ask('raw 01 05 00 00 12 34'), /^ok 01 85 03/);
      assert.match(await ask('raw 01 2B 00 00'), /^ok 01 AB 01/);
      context.valves.knobs.patch({ exception: 4 });
      assert.is(await ask('1 0 8'), 'exception 4');
    }),
  );
}

test.run();
