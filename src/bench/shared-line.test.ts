import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { ModbusIo } from '../devices/modbus-io/driver.ts';
import { RtuLine } from '../devices/modbus-rtu/line.ts';
import { codeOf, until } from '../test-kit/bench/on-bench.ts';
import { suite } from '../test-kit/suite.ts';
import { openByteTransport } from '../transports/open.ts';
import { Bench } from './bench.ts';

interface Context {
  folder: string;
  bench: Bench;
  line: RtuLine;
  first: ModbusIo;
  second: ModbusIo;
}

const test = suite<Context>('several devices on the line of the valves');
const ALL_OFF = new Array<boolean>(8).fill(false);

test.before.each(async (context) => {
  context.folder = mkdtempSync(join(tmpdir(), 'svc-bench-line-'));
  context.bench = new Bench({ folder: context.folder, with: ['modbus-io-2'] });
  await context.bench.open();
  const { addresses } = context.bench;
  assert.is(addresses['modbus-io-2'], addresses['modbus-io']);
  context.line = new RtuLine({
    transport: openByteTransport(addresses['modbus-io'], { baud: 19200 }),
    baud: 19200,
  });
  await context.line.open();
  context.first = new ModbusIo(context.line);
  context.second = new ModbusIo(context.line, { unit: 2, device: 'modbus-io-2' });
});
test.after.each(async ({ line, bench, folder }) => {
  await line.close();
  await bench.close();
  rmSync(folder, { recursive: true, force: true });
});

test('DEV-054 each slave receives every request, and only the one that is addressed acts and replies', async (context) => {
  const { bench, first, second } = context;
  await first.setOutput(0, true);
  await second.setOutput(7, true);
  const { coils, coils_2, clients } = bench.outputs;
  assert.equal([coils.indexOf(true), coils_2?.indexOf(true)], [0, 7]);
  assert.not.ok('modbus-io-2' in clients);
  assert.is(bench.plant.coils.indexOf(true), 0, 'the second board moves no valve of the plant');
  const notes = (device: 'modbus-io' | 'modbus-io-2') =>
    bench.trace(device).filter(({ note }) => note === 'for another unit').length;
  const requests = (device: 'modbus-io' | 'modbus-io-2') =>
    bench.trace(device).filter(({ kind, note }) => kind === 'in' && note === undefined).length;
  assert.equal([notes('modbus-io'), notes('modbus-io-2')], [requests('modbus-io-2'), requests('modbus-io')]);
});

for (const [fault, counter] of [
  [{ late_ms: 650 }, 'lateFrames'],
  [{ repeat_after_ms: 8 }, undefined],
  [{ doubled: true }, 'corrupt'],
  [{ bad_crc: true }, 'corrupt'],
  [{ foreign: true }, 'corrupt'],
] as const)
  test(`a reply of one slave with ${JSON.stringify(fault)} is never taken for the reply of another`, async (context) => {
    const { bench, line, first, second } = context;
    await first.setOutput(0, true);
    await second.setOutput(1, true);
    for (let round = 0; round < 2; round++) {
      await bench.setKnobs('modbus-io-2', { once: [fault] });
      const [ofSecond, ofFirst] = await Promise.all([second.readOutputs(), first.readOutputs()]);
      assert.equal([ofSecond.indexOf(true), ofFirst.indexOf(true)], [1, 0]);
    }
    if (counter) assert.ok(line.statistics[counter] > 0, JSON.stringify(line.statistics));
  });

test('a slave that is off the line leaves the others alone; unplugged, the adapter takes all with it', async (context) => {
  const { bench, line, first, second } = context;
  await second.setOutput(1, true);
  await bench.setKnobs('modbus-io-2', { unplugged: true });
  assert.is(bench.devices().find(({ device }) => device === 'modbus-io-2')?.path, null);
  assert.is(await codeOf(second.readOutputs()), 'device_timeout');
  assert.equal(await first.readOutputs(), ALL_OFF);
  await bench.setKnobs('modbus-io-2', { unplugged: false });
  assert.is((await second.readOutputs())[1], true, 'its outputs have a supply of their own');

  await bench.setKnobs('modbus-io', { unplugged: true });
  await until(() => line.state === 'absent');
  assert.not.ok(existsSync(bench.addresses['modbus-io']));
  assert.is(await codeOf(second.readOutputs()), 'device_unavailable');
  await bench.reset();
  await until(() => line.state === 'open');
  assert.equal(await second.readOutputs(), ALL_OFF);
});

test('a slave is on the line also where its owner is not on the bench', async ({ folder }) => {
  const bench = new Bench({ folder: join(folder, 'alone'), only: ['modbus-io-2'] });
  await bench.open();
  const address = bench.addresses['modbus-io-2'];
  const line = new RtuLine({ transport: openByteTransport(address, { baud: 19200 }), baud: 19200 });
  try {
    await line.open();
    assert.equal(await new ModbusIo(line, { unit: 2 }).readOutputs(), ALL_OFF);
    assert.is(await codeOf(new ModbusIo(line).readOutputs()), 'device_timeout');
    assert.throws(() => bench.faultOnce('modbus-io', [{}]), /it has modbus-io-2, plant$/);
  } finally {
    await line.close();
    await bench.close();
  }
  assert.not.ok(existsSync(address));
});

test('an optional device that is not plugged in is refused with the option that plugs it in', async ({
  folder,
}) => {
  const bench = new Bench({ folder: join(folder, 'default') });
  const refused = await bench.setKnobs('modbus-io-2', {}).catch((error: Error) => error.message);
  assert.match(
    String(refused),
    /no device "modbus-io-2" on this bench.*; plug it in with --with modbus-io-2$/,
  );
  assert.not.ok('coils_2' in bench.outputs);
  await bench.close();
});

test.run();
