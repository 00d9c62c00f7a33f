import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { appendCrc } from '../../../src/devices/modbus-rtu/crc.ts';
import { acquireLock } from '../../../src/lib/lock/lock.ts';
import { serialLockKey } from '../../../src/lib/lock/lock-key.ts';
import { suite } from '../../../src/test-kit/suite.ts';
import { BenchRig } from '../bench/bench-rig.ts';
import { hold, type Json, onDoctorRig, onlyDocument } from './doctor-rig.ts';

const test = suite('svcctl detect');
const LONG = { timeoutMs: 120_000 };

const probeOf = (document: Json) => (document.probes as { modbus: Json }).modbus;
const placeOf = ({ serial_port, baudrate, parity, device_id }: Json) => [
  serial_port,
  baudrate,
  parity,
  device_id,
];

test(
  'DIAG-001 DIAG-013 a healthy bench: one document, and the line is that of the bridge',
  async () => {
    const rig = await BenchRig.open();
    try {
      const before = rig.trace().length;
      const ended = await rig.svcctl(['detect', '--json']).ended;
      assert.is(ended.code, 0, ended.stderr);
      const document = onlyDocument(ended) as { config: Json; host: Json; firmware: Json };
      const { config, host, firmware } = document;
      const { mode } = firmware.health as Json;
      const { detected, total } = firmware.identify as Json;
      assert.equal([config.ok, firmware.is_local, mode, detected], [true, true, 'real', total]);
      const { source, connected, modbus_device_responds, attempts } = probeOf(document);
      assert.equal([source, connected, modbus_device_responds, attempts], ['firmware', true, true, 0]);
      assert.equal(host.owner_scan, { complete: true, unreadable: 0 });
      const writes = rig
        .trace()
        .slice(before)
        .filter(({ kind }) => kind === 'coil' || kind === 'drive');
      assert.equal(writes, [], 'nothing moves');
    } finally {
      await rig.close();
    }
  },
  LONG,
);

test(
  'DIAG-007 the own bridge is an owner of its port and not a foreign one',
  async () => {
    const rig = await BenchRig.open();
    try {
      const { host } = onlyDocument(await rig.svcctl(['detect', '--json']).ended) as { host: Json };
      const owners = Object.values(host.serial_port_owners as Record<string, Json[]>).flat();
      assert.equal(
        owners.map(({ pid, own_bridge }) => [pid, own_bridge]),
        [[rig.bridge.pid, true]],
        'the bench that emulates the device is no owner',
      );
    } finally {
      await rig.close();
    }
  },
  LONG,
);

test('DIAG-004 faulty configuration and no bridge: the other parts are reported', () =>
  onDoctorRig(async (rig) => {
    rig.configure('{serial_port: /dev/ttyUSB0, baudrate: fast}\n  oops: [');
    await rig.plug('ttyUSB0');
    const document = await rig.json('detect', '--no-probe');
    assert.is((document.config as Json).ok, false);
    assert.match(String((document.config as Json).error), rig.config);
    assert.match(String(((document.firmware as Json).health as Json).error), 'refused');
    assert.equal((document.host as Json).usb_serial_devices, ['/dev/ttyUSB0']);
  }));

test('DIAG-005 the lists open no port, and --no-probe sends nothing', () =>
  onDoctorRig(async (rig) => {
    const adapter = await rig.plug('ttyUSB0');
    const probe = probeOf(await rig.json('detect', '--no-probe'));
    assert.equal([probe.source, probe.reason], ['none', '--no-probe']);
    assert.equal(adapter.sent, []);
  }));

test('DIAG-006 the owner of a port is found by its real path', () =>
  onDoctorRig(async (rig) => {
    const adapter = await rig.plug('ttyUSB0');
    const child = await hold(adapter.path);
    try {
      const document = await rig.json('detect');
      const owners = (document.host as { serial_port_owners: Record<string, Json[]> }).serial_port_owners;
      assert.equal(
        owners['/dev/ttyUSB0']?.map(({ pid, own_bridge }) => [pid, own_bridge]),
        [[child.pid, false]],
      );
      const probe = probeOf(document);
      assert.match(JSON.stringify(probe.skipped_ports), `(pid ${child.pid})`);
      assert.equal(adapter.sent, [], 'DIAG-008 a port in use is never probed');
    } finally {
      child.kill('SIGKILL');
    }
  }));

test(
  'DIAG-009 DIAG-011 finds 4800 baud, odd parity, id 2 on another port, answered twice',
  () =>
    onDoctorRig(async (rig) => {
      await rig.plug('ttyUSB0', { unit: 99 });
      const other = await rig.plug('ttyUSB1', { baud: 4800, parity: 'odd', unit: 2 });
      const probe = probeOf(await rig.json('detect'));
      assert.equal(placeOf(probe), ['/dev/serial/by-id/usb-FTDI_A2-if00-port0', 4800, 'O', 2]);
      const asked = other.sent.map(({ baud, parity, bytes }) => `${parity} ${baud} ${bytes[0]}`);
      const found = asked.indexOf('odd 4800 2');
      assert.is(asked[found + 1], 'odd 4800 2', 'DIAG-011 the answer came twice in a row');
      // A pseudo-terminal keeps the bit of odd parity when parity is switched off.
      const after = new Set(other.sent.slice(found + 2).map(({ baud, bytes }) => `${baud} ${bytes[0]}`));
      assert.equal([...after], ['19200 1'], 'once more as configured, before it is called a mismatch');
      assert.ok(asked.indexOf('none 9600 1') < asked.indexOf('odd 9600 1'), 'parity none comes first');
      for (const { bytes } of other.sent) assert.is(bytes[1], 1, 'only FC01 is sent');
    }),
  LONG,
);

test(
  'DIAG-010 the budget is kept, and what it left untried is reported',
  () =>
    onDoctorRig(async (rig) => {
      await rig.plug('ttyUSB0', { unit: 99 });
      const probe = probeOf(await rig.json('detect', '--probe-budget', '1'));
      assert.is(probe.exhausted, true);
      const [port] = probe.ports as { untried: number; attempts: number }[];
      assert.ok((port?.untried ?? 0) > 30, JSON.stringify(port));
      assert.match(String(probe.reason), 'not found within the budget');
    }),
  LONG,
);

test(
  'DIAG-011 one valid answer alone is no hit',
  () =>
    onDoctorRig(async (rig) => {
      let count = 0;
      await rig.plug('ttyUSB0', {}, (_bytes, reply) => {
        if (++count === 1) reply(appendCrc([1, 1, 1, 0]));
      });
      const probe = probeOf(await rig.json('detect', '--probe-budget', '1'));
      assert.is(probe.modbus_device_responds, false);
    }),
  LONG,
);

test(
  'DIAG-012 DIAG-042 silence, echo and garbage each have their kind; none is busy',
  () =>
    onDoctorRig(async (rig) => {
      await rig.plug('ttyUSB0', {}, () => {});
      await rig.plug('ttyUSB1', {}, (bytes, reply) => reply(bytes));
      await rig.plug('ttyUSB2', {}, (_bytes, reply) => reply(Uint8Array.of(0x55, 0xaa, 0x13)));
      const probe = probeOf(await rig.json('detect', '--probe-budget', '1'));
      assert.equal([probe.connected, probe.modbus_device_responds], [true, false]);
      assert.equal(
        (probe.ports as Json[]).map(({ device, kind }) => [device, kind]),
        [
          ['/dev/ttyUSB0', 'silence'],
          ['/dev/ttyUSB1', 'echo'],
          ['/dev/ttyUSB2', 'garbage'],
        ],
      );
    }),
  LONG,
);

test(
  'DIAG-041 a line with another master is listened to and nothing is sent on it',
  () =>
    onDoctorRig(async (rig) => {
      const adapter = await rig.plug('ttyUSB0');
      const master = setInterval(() => adapter.write(appendCrc([7, 3, 0, 0, 0, 2])), 100);
      try {
        const probe = probeOf(await rig.json('detect'));
        const [port] = probe.ports as Json[];
        assert.is(port?.kind, 'foreign_traffic', JSON.stringify(port));
        assert.equal(adapter.sent, []);
      } finally {
        clearInterval(master);
      }
    }),
  LONG,
);

test(
  'DIAG-042 an exception counts as an answer, a held lock as owned',
  () =>
    onDoctorRig(async (rig) => {
      await rig.plug('ttyUSB0', {}, (bytes, reply) => reply(appendCrc([bytes[0] ?? 0, 0x81, 2])));
      await rig.plug('ttyUSB1');
      const identity = () => ({
        service: 'test',
        pid: process.pid,
        port: null,
        since: '2026-01-01T00:00:00Z',
      });
      const lock = await acquireLock({ key: serialLockKey(join(rig.host.roots.dev, 'ttyUSB1')), identity });
      try {
        const probe = probeOf(await rig.json('detect'));
        assert.is(probe.modbus_device_responds, true);
        assert.equal(
          (probe.ports as Json[]).map(({ kind }) => kind),
          ['exception', 'owned'],
        );
      } finally {
        await lock.release();
      }
    }),
  LONG,
);

test('DIAG-008 the ADC tty, the UART module and the console are never probed, each with its reason', () =>
  onDoctorRig(async (rig) => {
    const uart = await rig.plug('ttyUSB0');
    const pump = await rig.plug('ttyUSB1');
    rig.env.UARTADC_SERIAL_PORT = '/dev/ttyUSB0';
    rig.env.SVC_PUMP_SERIAL_PORT = '/dev/serial/by-id/usb-FTDI_A2-if00-port0';
    rig.host.plugMcp2221a({ name: '1-9', vid: '04d8', pid: '00dd', deviceNumber: 9, tty: 'ttyACM0' });
    rig.host.plugTty('ttyAMA0', `${rig.host.roots.sys}/devices/platform/soc/serial@7e201000`);
    const probe = probeOf(await rig.json('detect'));
    const reasons = Object.fromEntries(
      (probe.skipped_ports as { device: string; reason: string }[]).map(({ device, reason }) => [
        device,
        reason,
      ]),
    );
    assert.match(reasons['/dev/ttyUSB0'] ?? '', 'UART ADC module');
    assert.match(reasons['/dev/ttyUSB1'] ?? '', 'pump');
    assert.match(reasons['/dev/ttyACM0'] ?? '', 'USB ADC chip');
    assert.match(reasons['/dev/ttyAMA0'] ?? '', 'on-board UART');
    assert.equal([...uart.sent, ...pump.sent], []);
  }));

test('nothing plugged in: not connected, with the reason; 40 columns', () =>
  onDoctorRig(async (rig) => {
    const probe = probeOf(await rig.json('detect'));
    assert.equal([probe.connected, probe.reason], [false, 'no USB serial port']);
  }));

test.run();
