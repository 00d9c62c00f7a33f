import * as assert from 'uvu/assert';
import { Dri0050 } from '../../devices/dri0050/driver.ts';
import { RtuLine } from '../../devices/modbus-rtu/line.ts';
import { codeOf, provesKnobs } from '../../test-kit/bench/on-bench.ts';
import { openByteTransport } from '../../transports/open.ts';
import type { Bench } from '../bench.ts';

const QUICK = { replyTimeoutMs: 250, attempts: 1, turnaroundMs: 100 };

async function connect(bench: Bench) {
  const transport = openByteTransport(bench.addresses.pump, { baud: 9600 });
  const line = new RtuLine({ transport, baud: 9600, ...QUICK });
  await line.open();
  return { client: new Dri0050(line), close: () => line.close() };
}

const test = provesKnobs({
  device: 'pump',
  listed: ['silent', 'wrong_pid', 'late_ms', 'bad_crc', 'duty_stuck'],
  connect,
  effects: {
    silent: [
      'acts, and does not answer',
      async (pump, turn, bench) => {
        await pump.setPower(40);
        await turn({ silent: true });
        assert.is(await codeOf(pump.stop()), 'device_timeout');
        assert.is(bench.outputs.pump.duty, 0);
      },
    ],
    wrong_pid: [
      'another device is reported before anything is written',
      async (pump, turn, bench) => {
        await turn({ wrong_pid: true });
        assert.is(await codeOf(pump.setPower(20)), 'wrong_device');
        const trace = bench.trace('pump');
        const since = trace.findLastIndex(({ knobs }) => knobs?.wrong_pid === true);
        const asked = trace.slice(since).filter(({ kind }) => kind === 'in');
        assert.ok(asked.length > 0);
        assert.not.ok(asked.some(({ bytes = '' }) => bytes.startsWith('32 06')));
      },
    ],
    late_ms: [
      'an answer behind the time-out is none',
      async (pump, turn) => {
        await pump.start();
        await turn({ late_ms: 300 });
        assert.is(await codeOf(pump.setPower(20)), 'device_timeout');
      },
    ],
    bad_crc: [
      'a wrong bit is seen',
      async (pump, turn) => {
        await pump.start();
        await turn({ bad_crc: true });
        assert.is(await codeOf(pump.setPower(20)), 'corrupt_response');
      },
    ],
    duty_stuck: [
      'the echo comes, and the read-back shows that the power is another',
      async (pump, turn, bench) => {
        await pump.start();
        await turn({ duty_stuck: true });
        assert.is(await codeOf(pump.setPower(20)), 'pump_unverified');
        assert.is(bench.outputs.pump.duty, 0);
      },
    ],
  },
});

test.run();
