import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { acquireLock } from '../../../src/lib/lock/lock.ts';
import { serialLockKey } from '../../../src/lib/lock/lock-key.ts';
import { suite } from '../../../src/test-kit/suite.ts';
import { type DoctorRig, type Json, onDoctorRig, onlyDocument } from './doctor-rig.ts';

const test = suite('svc-modbus-probe');

const probe = (rig: DoctorRig, ...args: string[]) =>
  rig.run('svc-modbus-probe', ['--serial', '/dev/ttyUSB0', ...args]);

async function results(rig: DoctorRig, ...args: string[]): Promise<Json[]> {
  return onlyDocument(await probe(rig, ...args, '--json')).results as Json[];
}

test('DIAG-029 reads bits and registers, and writes nothing', () =>
  onDoctorRig(async (rig) => {
    const { twin, sent } = await rig.plug('ttyUSB0');
    twin.force(1, true);
    const ended = await probe(rig, '--count', '3', '--json');
    assert.is(ended.code, 0, ended.stderr);
    assert.equal(onlyDocument(ended), {
      ok: true,
      results: [
        {
          ...{ serial_port: '/dev/ttyUSB0', baudrate: 19_200, parity: 'N', device_id: 1 },
          ...{ function: 'read_coils', address: 0, count: 3, timeout: 0.5, open: true, ok: true },
          response: [false, true, false],
        },
      ],
    });
    const [registers] = await results(rig, '--function', 'read_holding_registers', '--address', '32768');
    assert.equal(registers?.response, [0xc8]);
    for (const { bytes } of sent) assert.ok((bytes[1] ?? 0) <= 4, `function ${bytes[1]} was sent`);
    const write = await probe(rig, '--function', 'write_coil', '--json');
    assert.equal([write.code, onlyDocument(write).code], [2, 'usage']);
  }));

test('DIAG-029 each failure has its kind; lists are combined; one answer is enough for exit 0', () =>
  onDoctorRig(async (rig) => {
    await rig.plug('ttyUSB0', { unit: 2 });
    const found = await results(
      rig,
      '--device-id',
      '1,2',
      '--baud',
      '9600',
      '--baud',
      '19200',
      '--timeout',
      '0.2',
    );
    assert.equal(
      found.map(({ baudrate, device_id, ok, kind }) => [baudrate, device_id, ok, kind]),
      [
        [9600, 1, false, 'timeout'],
        [9600, 2, false, 'timeout'],
        [19_200, 1, false, 'timeout'],
        [19_200, 2, true, undefined],
      ],
    );
    const [refused] = await results(rig, '--device-id', '2', '--address', '99');
    assert.equal([refused?.kind, refused?.code], ['exception', 2]);
    const ended = await rig.run('svc-modbus-probe', ['--serial', '/dev/ttyUSB7', '--json']);
    assert.equal([ended.code, (onlyDocument(ended).results as Json[])[0]?.kind], [1, 'open_failed']);
  }));

test('DIAG-042 an echo and a wrong CRC are distinguished from silence', () =>
  onDoctorRig(async (rig) => {
    await rig.plug('ttyUSB0', {}, (bytes, reply) => reply(bytes));
    assert.is((await results(rig))[0]?.kind, 'bad_reply');
    const { twin } = await rig.plug('ttyUSB1');
    twin.slave.faultOnce({ bad_crc: true });
    const ended = await rig.run('svc-modbus-probe', ['--serial', '/dev/ttyUSB1', '--json']);
    assert.ok(['crc', 'bad_reply'].includes(String((onlyDocument(ended).results as Json[])[0]?.kind)));
  }));

test("SVC-049 nothing is sent while an operator's stop is in force", () =>
  onDoctorRig(async (rig) => {
    const { sent } = await rig.plug('ttyUSB0');
    const stop = { id: 'a1', by: 'anna@rig', reason: 'operator', at: '2026-01-01T00:00:00Z' };
    writeFileSync(join(rig.folder, 'state/operator-stop.json'), JSON.stringify(stop));
    const ended = await probe(rig, '--json');
    assert.equal([ended.code, onlyDocument(ended).code], [75, 'operator_stop']);
    const { modbus } = (await rig.json('detect')).probes as { modbus: Json };
    assert.equal([modbus.source, modbus.connected], ['none', null]);
    assert.match(String(modbus.reason), 'svcctl stop --clear');
    assert.equal(sent, []);
  }));

test('DIAG-029 a held port is exit 75 with the holder, a reserved one exit 4', () =>
  onDoctorRig(async (rig) => {
    const { sent } = await rig.plug('ttyUSB0');
    const identity = () => ({
      service: 'svc-test',
      pid: process.pid,
      port: null,
      since: '2026-01-01T00:00:00Z',
    });
    const key = serialLockKey(join(rig.host.roots.dev, 'ttyUSB0'));
    const lock = await acquireLock({ key, identity });
    try {
      const held = await probe(rig);
      assert.is(held.code, 75);
      assert.match(held.stderr, `svc-test (pid ${process.pid}`);
    } finally {
      await lock.release();
    }
    rig.env.UARTADC_SERIAL_PORT = '/dev/serial/by-id/usb-FTDI_A1-if00-port0';
    const reserved = await probe(rig, '--json');
    assert.equal([reserved.code, onlyDocument(reserved).code], [4, 'port_reserved']);
    assert.equal(sent, []);
  }));

test.run();
