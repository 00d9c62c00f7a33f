import * as assert from 'uvu/assert';
import { ModbusIo } from '../../devices/modbus-io/driver.ts';
import { RtuLine } from '../../devices/modbus-rtu/line.ts';
import { codeOf, provesKnobs, until } from '../../test-kit/bench/on-bench.ts';
import { openByteTransport } from '../../transports/open.ts';
import type { Bench } from '../bench.ts';

/** Short limits: how long a driver waits on a rig is proven with the driver. */
const QUICK = { replyTimeoutMs: 250, attempts: 1, turnaroundMs: 100 };

async function connect(bench: Bench) {
  const transport = openByteTransport(bench.addresses['modbus-io'], { baud: 19200 });
  const line = new RtuLine({ transport, baud: 19200, ...QUICK });
  await line.open();
  const io = new ModbusIo(line);
  return { client: { io, line }, close: () => line.close() };
}

const test = provesKnobs({
  device: 'modbus-io',
  listed: [
    'silent',
    'baud',
    'parity',
    'device_id',
    'late_ms',
    'bad_crc',
    'truncate',
    'exception',
    'coil_stuck',
    'modes',
    'port_held',
  ],
  connect,
  effects: {
    silent: [
      'acts, and does not answer',
      async ({ io }, turn, bench) => {
        await io.start();
        await turn({ silent: true });
        assert.is(await codeOf(io.setOutput(3, true)), 'device_timeout');
        assert.is(bench.outputs.coils[3], true);
      },
    ],
    deaf: [
      'does nothing and does not answer',
      async ({ io }, turn, bench) => {
        await io.start();
        await turn({ deaf: true });
        assert.is(await codeOf(io.setOutput(3, true)), 'device_timeout');
        assert.is(bench.outputs.coils[3], false);
      },
    ],
    baud: [
      'a board at another bit rate does not understand',
      async ({ io }, turn) => {
        await turn({ baud: 9600 });
        assert.is(await codeOf(io.probe()), 'device_timeout');
      },
    ],
    parity: [
      'a board with another parity does not understand',
      async ({ io }, turn) => {
        await turn({ parity: 'even' });
        assert.is(await codeOf(io.probe()), 'device_timeout');
      },
    ],
    device_id: [
      'a board with another address does not answer',
      async ({ io }, turn) => {
        await turn({ device_id: 2 });
        assert.is(await codeOf(io.probe()), 'device_timeout');
      },
    ],
    late_ms: [
      'an answer behind the time-out is none, and is not taken for the next one',
      async ({ io }, turn, bench) => {
        await io.setOutput(0, true);
        await turn({ late_ms: 300 });
        assert.is(await codeOf(io.readOutputs()), 'device_timeout');
        await turn({ late_ms: 0 });
        bench.twins['modbus-io'].force(0, false);
        assert.is((await io.readOutputs())[0], false);
      },
    ],
    bad_crc: [
      'a wrong bit is seen',
      async ({ io }, turn) => {
        await turn({ bad_crc: true });
        assert.is(await codeOf(io.readOutputs()), 'corrupt_response');
      },
    ],
    truncate: [
      'a short answer is seen',
      async ({ io }, turn) => {
        await turn({ truncate: 3 });
        assert.is(await codeOf(io.readOutputs()), 'corrupt_response');
      },
    ],
    exception: [
      'the exception is reported',
      async ({ io }, turn) => {
        await turn({ exception: 4 });
        assert.is(await codeOf(io.readOutputs()), 'modbus_exception');
      },
    ],
    coil_stuck: [
      'the echo comes, and the read-back shows that nothing moved',
      async ({ io }, turn, bench) => {
        await io.start();
        await turn({ coil_stuck: [5] });
        assert.is(await codeOf(io.setOutput(5, true)), 'valve_unverified');
        assert.is(bench.outputs.coils[5], false);
      },
    ],
    modes: [
      'an output mode that is not normal refuses actuation',
      async ({ io }, turn, bench) => {
        await turn({ modes: [0, 0, 1, 0, 0, 0, 0, 0] });
        assert.is(await codeOf(io.setOutput(2, true)), 'valve_mode_not_normal');
        assert.is(bench.outputs.coils[2], false);
      },
    ],
    port_held: [
      'another program has the port',
      async ({ line }, turn, bench) => {
        await line.close();
        await turn({ port_held: true });
        const again = openByteTransport(bench.addresses['modbus-io'], { baud: 19200 });
        assert.is(await codeOf(again.open()), 'port_busy');
        await turn({ port_held: false });
        await again.open();
        await again.close();
      },
    ],
    unplugged: [
      'the port is gone, and is used again when it returns',
      async ({ io, line }, turn) => {
        await turn({ unplugged: true });
        await until(() => line.state === 'absent');
        assert.is(await codeOf(io.readOutputs()), 'device_unavailable');
        await turn({ unplugged: false });
        await until(() => line.state === 'open');
        await io.readOutputs();
      },
    ],
  },
});

test.run();
