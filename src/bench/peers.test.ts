import { execFile, execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import ModbusRTU from 'modbus-serial';
import * as assert from 'uvu/assert';
import { suite } from '../lib/testing/suite.ts';
import { Bench } from './bench.ts';

interface Context {
  folder: string;
  bench: Bench;
}

const test = suite<Context>('independent masters on the twins');

test.before.each(async (context) => {
  context.folder = mkdtempSync(join(tmpdir(), 'svc-peers-test-'));
  context.bench = new Bench({ folder: context.folder });
  await context.bench.open();
});

test.after.each(async (context) => {
  await context.bench.close();
  rmSync(context.folder, { recursive: true, force: true });
});

async function modbusSerial(path: string, baudRate: number, unit: number): Promise<ModbusRTU> {
  const client = new ModbusRTU();
  await client.connectRTUBuffered(path, { baudRate });
  client.setID(unit);
  client.setTimeout(2000);
  return client;
}

const close = (client: ModbusRTU) => new Promise<void>((resolve) => client.close(() => resolve()));

test('DEV-045 modbus-serial reads and switches the valve twin', async ({ bench }) => {
  const client = await modbusSerial(bench.addresses['modbus-io'], 19200, 1);
  try {
    await client.writeCoil(2, true);
    await client.writeCoils(4, [true, true]);
    assert.equal((await client.readCoils(0, 8)).data, [false, false, true, false, true, true, false, false]);
    assert.equal(bench.outputs.coils, [false, false, true, false, true, true, false, false]);
    assert.equal((await client.readDiscreteInputs(0, 8)).data, new Array<boolean>(8).fill(false));
    assert.equal((await client.readHoldingRegisters(0x1000, 8)).data, new Array<number>(8).fill(0));
    assert.equal((await client.readHoldingRegisters(0x8000, 1)).data, [200]);
    await client.writeRegisters(0x1000, [1, 0]);
    assert.equal((await client.readHoldingRegisters(0x1000, 2)).data, [1, 0]);
    await client.writeCoil(8, true).then(
      () => assert.unreachable('coil 8 was accepted'),
      (error: { modbusCode: number }) => assert.is(error.modbusCode, 2),
    );
  } finally {
    await close(client);
  }
});

test('DEV-045 modbus-serial works the pump twin', async ({ bench }) => {
  const client = await modbusSerial(bench.addresses.pump, 9600, 0x32);
  try {
    assert.equal((await client.readHoldingRegisters(0, 2)).data, [0xc032, 0x3343]);
    await client.writeRegister(6, 51);
    await client.writeRegister(8, 1);
    assert.equal((await client.readHoldingRegisters(6, 3)).data, [51, 45, 1]);
    assert.is(bench.outputs.pump.fraction, 0.2);
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

mbpollTest('DEV-045 mbpoll (libmodbus) reads and switches the valve twin', async ({ bench }) => {
  const mbpoll = async (...options: string[]) => {
    const line = ['-m', 'rtu', '-b', '19200', '-P', 'none', '-a', '1', '-0', '-1', '-q'];
    const { stdout } = await promisify(execFile)('mbpoll', [...line, ...options]);
    return stdout;
  };
  const port = bench.addresses['modbus-io'];
  await mbpoll('-t', '0', '-r', '3', port, '1');
  assert.is(bench.outputs.coils[3], true);
  const text = await mbpoll('-t', '0', '-r', '0', '-c', '8', port);
  const values = [...text.matchAll(/^\[\d+\]:\s+(\d)$/gm)].map(([, value]) => value);
  assert.equal(values, ['0', '0', '0', '1', '0', '0', '0', '0']);
});

test.run();
