import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Bench, type BenchDeviceName } from '../../bench/bench.ts';
import { Dfr1184 } from '../../devices/dfr1184/driver.ts';
import { Mcp2221a } from '../../devices/mcp2221a/driver.ts';
import { ModbusIo } from '../../devices/modbus-io/driver.ts';
import { DEFAULT_BAUD } from '../../devices/modbus-io/protocol.ts';
import { RtuLine } from '../../devices/modbus-rtu/line.ts';
import { systemClock } from '../../lib/clock/clock.ts';
import { CodedError, messageOf } from '../../lib/errors/coded-error.ts';
import { type Random, seededRandom } from '../../lib/random/seeded-random.ts';
import { openByteTransport, openHidTransport } from '../../transports/index.ts';
import { type Footprint, footprint } from './footprint.ts';

export interface RealPortsReport {
  /** Answers that were proven, by device. */
  answers: Record<string, number>;
  /** Failures that a fault explains, by code. */
  failures: Record<string, number>;
  unplugs: number;
  wrongValues: number;
  falseConfirmations: number;
  /** Devices that did not answer again within 10 s of sound circumstances. */
  unrecovered: number;
  unexpected: string[];
  before: Footprint;
  after: Footprint;
}

/** One device at work: `step` asks it something and compares the answer with the truth. */
interface Subject {
  device: BenchDeviceName;
  /** Knob that pulls its plug. */
  plug: 'unplug' | 'unplugged';
  open(): Promise<void>;
  /** @returns whether value or confirmation was true. @throws what the driver throws */
  step(): Promise<'true' | 'wrong_value' | 'false_confirmation'>;
  faults(on: boolean): void;
  close(): Promise<void>;
}

const EXPECTED_CODES = new Set([
  'device_timeout',
  'corrupt_response',
  'device_unavailable',
  'device_error',
  'adc_config_not_applied',
  'valve_unverified',
]);
const UNPLUG_SHARE = 0.01;
const AWAY_MS = 300;
const RECOVERY_MS = 10_000;
/** Later than every reply timeout in question, sooner than the longest turnaround of a Modbus device. */
const LATE_MS = 600;

const DEFAULT_VREF = 3.3;

/**
 * The drivers at their work on real pseudo-terminals and sockets, in real time, under faults and pulled plugs. What the
 * stepped stress cannot show is shown here: that handles, descriptors and memory come back.
 */
export async function stressRealPorts(options: { seconds: number; seed: number }): Promise<RealPortsReport> {
  const folder = mkdtempSync(join(tmpdir(), 'svc-stress-'));
  const report: Omit<RealPortsReport, 'before' | 'after'> = {
    answers: {},
    failures: {},
    unplugs: 0,
    wrongValues: 0,
    falseConfirmations: 0,
    unrecovered: 0,
    unexpected: [],
  };
  // The native packages are loaded once and stay; a first short round keeps them out of the account.
  await round(folder, 1, options.seed, { ...report, answers: {}, failures: {}, unexpected: [] });
  const before = footprint();
  await round(folder, options.seconds, options.seed, report);
  await systemClock.sleep(100);
  const after = footprint();
  rmSync(folder, { recursive: true, force: true });
  return { ...report, before, after };
}

type Tally = Omit<RealPortsReport, 'before' | 'after'>;

async function round(folder: string, seconds: number, seed: number, tally: Tally): Promise<void> {
  const bench = new Bench({ folder, seed, only: ['modbus-io', 'usbhid', 'uart'] });
  await bench.open();
  const subjects = [valves, usbAdc, uartAdc].map((make, index) => make(bench, seededRandom(seed + index)));
  const endsAt = systemClock.monotonic() + 1000 * seconds;
  try {
    for (const subject of subjects) await subject.open();
    await Promise.all(
      subjects.map((subject, index) => work(bench, subject, endsAt, seededRandom(seed + 100 + index), tally)),
    );
  } finally {
    for (const subject of subjects) await subject.close();
    await bench.close();
  }
}

async function work(
  bench: Bench,
  subject: Subject,
  endsAt: number,
  random: Random,
  tally: Tally,
): Promise<void> {
  const { device } = subject;
  subject.faults(true);
  while (systemClock.monotonic() < endsAt) {
    if (random() < UNPLUG_SHARE) {
      tally.unplugs += 1;
      await bench.setKnobs(device, { [subject.plug]: true });
      const pulled = ask(subject, tally);
      await systemClock.sleep(AWAY_MS);
      await bench.setKnobs(device, { [subject.plug]: false });
      await pulled;
    }
    if (!(await ask(subject, tally))) await systemClock.sleep(20);
  }
  subject.faults(false);
  const deadline = systemClock.monotonic() + RECOVERY_MS;
  while (!(await ask(subject, tally))) {
    if (systemClock.monotonic() > deadline) {
      tally.unrecovered += 1;
      return;
    }
    await systemClock.sleep(50);
  }
}

/** @returns whether there was an answer */
async function ask(subject: Subject, tally: Tally): Promise<boolean> {
  try {
    const end = await subject.step();
    tally.answers[subject.device] = (tally.answers[subject.device] ?? 0) + 1;
    if (end === 'wrong_value') tally.wrongValues += 1;
    if (end === 'false_confirmation') tally.falseConfirmations += 1;
    return true;
  } catch (error) {
    const code = error instanceof CodedError ? error.code : 'no code';
    if (EXPECTED_CODES.has(code)) tally.failures[code] = (tally.failures[code] ?? 0) + 1;
    else tally.unexpected.push(`${subject.device}: ${code} ${messageOf(error)}`);
    return false;
  }
}

/** 5 % late, 2 % doubled, 2 % truncated, 1 % foreign; each device adds its own 1 % corrupt. */
function drawFault(random: Random): { late_ms?: number; doubled?: true; truncate?: number; foreign?: true } {
  return {
    ...(random() < 0.05 ? { late_ms: LATE_MS * random() } : {}),
    ...(random() < 0.02 ? { doubled: true } : {}),
    ...(random() < 0.02 ? { truncate: Math.floor(3 * random()) } : {}),
    ...(random() < 0.01 ? { foreign: true } : {}),
  };
}

function valves(bench: Bench, random: Random): Subject {
  const { slave } = bench.twins['modbus-io'];
  const line = new RtuLine({
    transport: openByteTransport(bench.addresses['modbus-io'], { baud: DEFAULT_BAUD }),
    baud: DEFAULT_BAUD,
  });
  const io = new ModbusIo(line);
  return {
    device: 'modbus-io',
    plug: 'unplugged',
    open: () => line.open(),
    step: async () => {
      if (random() < 0.5) {
        const seen = await io.readOutputs();
        return seen.join() === bench.outputs.coils.join() ? 'true' : 'wrong_value';
      }
      const coil = Math.floor(8 * random());
      const on = random() < 0.5;
      await io.setOutput(coil, on);
      return bench.outputs.coils[coil] === on ? 'true' : 'false_confirmation';
    },
    faults: (on) =>
      slave.faultEach(on ? () => ({ ...drawFault(random), bad_crc: random() < 0.01 }) : undefined),
    close: () => line.close(),
  };
}

function usbAdc(bench: Bench, random: Random): Subject {
  const adc = new Mcp2221a(openHidTransport(bench.addresses.usbhid));
  return {
    device: 'usbhid',
    plug: 'unplug',
    open: () => adc.open(),
    step: async () => {
      const volts = DEFAULT_VREF * random();
      await bench.setKnobs('usbhid', { g2_v: volts });
      const { raw10bit } = await adc.read(2);
      return Math.abs(raw10bit - (volts / DEFAULT_VREF) * 1024) <= 1 ? 'true' : 'wrong_value';
    },
    faults: (on) =>
      bench.twins.usbhid.faultEach(
        on ? () => ({ ...drawFault(random), ...(random() < 0.01 ? { corrupt: 'word' } : {}) }) : undefined,
      ),
    close: () => adc.close(),
  };
}

function uartAdc(bench: Bench, random: Random): Subject {
  const adc = new Dfr1184(openByteTransport(bench.addresses.uart, { baud: 9600 }));
  return {
    device: 'uart',
    plug: 'unplugged',
    open: () => adc.open(),
    step: async () => {
      const volts = [10 * random(), 10 * random()] as const;
      await bench.setKnobs('uart', { ain1_v: volts[0], ain2_v: volts[1] });
      const input = random() < 0.5 ? 1 : 2;
      const { raw } = await adc.read(input);
      return Math.abs(raw - volts[input - 1 === 0 ? 0 : 1] * 100_000) <= 1 ? 'true' : 'wrong_value';
    },
    faults: (on) =>
      bench.twins.uart.faultEach(on ? () => ({ ...drawFault(random), corrupt: random() < 0.01 }) : undefined),
    close: () => adc.close(),
  };
}
