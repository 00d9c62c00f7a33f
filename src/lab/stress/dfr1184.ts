import { DeviceError } from '../../devices/device-error.ts';
import type { Dfr1184 } from '../../devices/dfr1184/driver.ts';
import type { UartFault } from '../../devices/dfr1184/fault.ts';
import { dfr1184InMemory } from '../../devices/dfr1184/in-memory.ts';
import { PROBE_ANSWER, type UartInput, WRITE_COMMAND } from '../../devices/dfr1184/protocol.ts';
import type { Clock } from '../../lib/clock/clock.ts';
import { type Random, seededRandom } from '../../lib/random/seeded-random.ts';
import type { BytePipe } from '../../transports/memory/byte-pipe.ts';
import { counted, countFault, noStress, type StressReport, steppedThrough } from './stress-report.ts';

/** What is stressed: the driver, or in its test a reader without the driver's care. */
export type UartReader = Pick<Dfr1184, 'open' | 'close' | 'read' | 'readBoth' | 'readText' | 'probe'>;

const EXPECTED_CODES = ['device_timeout', 'corrupt_response', 'device_unavailable', 'aborted'];
const RETURN_MS = 5000;

/**
 * Random work on the driver under random faults of the twin: 5 % late, 2 % doubled, 2 % truncated, 1 % corrupt, 1 %
 * foreign, 1 % each silent, stale and extra bytes, 3 % of the selections lost, and unplugging. Before each step both inputs get new voltages, so
 * that an old or a swapped sample is a wrong value.
 *
 * Not mixed, since the bytes then are a possible sample that no driver can tell from a true one: truncation with a
 * stray byte that fills the gap, and a wrong bit that leaves the value below 11 V.
 */
export async function stressUart(options: {
  exchanges: number;
  seed: number;
  /** Bytes come one by one, as on a real line. */
  atLineRate?: boolean;
  /** Default: the driver. */
  reader?: (pipe: BytePipe, clock: Clock) => UartReader;
}): Promise<StressReport> {
  const random = seededRandom(options.seed);
  const { clock, pipe, twin, adc, events, volts } = dfr1184InMemory(options);
  const reader: UartReader = options.reader?.(pipe, clock) ?? adc;
  const report = noStress();
  const faults = counted(report, () => drawFault(random));

  let failed = false;
  const compare = (input: UartInput) => (sample: { volts: number; input: UartInput }) => {
    if (sample.input !== input || Math.abs(sample.volts - volts[input]) > 1e-9) report.wrongValues += 1;
  };
  const note = (error: unknown) => {
    failed = true;
    const isExpected = error instanceof DeviceError && EXPECTED_CODES.includes(error.code);
    if (!isExpected) report.unexpected.push(String(error));
  };
  const read = (input: UartInput, signal?: AbortSignal) =>
    reader.read(input, signal ? { signal } : {}).then(compare(input), note);
  const moveInputs = () => {
    for (const input of [1, 2] as const) volts[input] = Math.floor(1_100_000 * random()) / 100_000;
  };

  const step = async () => {
    const input: UartInput = random() < 0.5 ? 1 : 2;
    const kind = random();
    if (kind < 0.5) await read(input);
    else if (kind < 0.65) {
      const pair = await reader.readBoth();
      pair.forEach((end, index) => {
        if (end.status === 'fulfilled') compare(index === 0 ? 1 : 2)(end.value);
        else note(end.reason);
      });
    } else if (kind < 0.75) await reader.readText(input).then(compare(input), note);
    else if (kind < 0.85) {
      const from = events.length;
      const saidOk = () => events.slice(from).some((event) => event.kind === 'out' && isOk(event.bytes));
      await reader.probe().then(() => {
        if (!saidOk()) report.falseConfirmations += 1;
      }, note);
    } else if (kind < 0.93) await Promise.all([read(1), read(2)]);
    else if (kind < 0.985) {
      const cancel = new AbortController();
      const reading = read(input, cancel.signal);
      await clock.sleep(60 * random());
      cancel.abort();
      await reading;
    } else {
      countFault(report, 'unplug');
      const reading = read(input);
      await clock.sleep(80 * random());
      pipe.unplug();
      twin.loseSupply();
      await reading;
      await clock.sleep(8000 * random());
      pipe.plug();
      // The return must be noticed by itself.
      await clock.sleep(RETURN_MS);
    }
  };

  /** Without faults a true value comes at once. */
  const recover = async () => {
    twin.faultEach(undefined);
    const input: UartInput = random() < 0.5 ? 1 : 2;
    const before = report.wrongValues;
    await reader.read(input, { deadlineMs: RETURN_MS }).then(
      (sample) => {
        compare(input)(sample);
        if (report.wrongValues === before) report.recovered += 1;
        else report.unrecovered += 1;
      },
      () => {
        report.unrecovered += 1;
      },
    );
    twin.faultEach(faults);
  };

  await reader.open();
  twin.faultEach(faults);
  twin.knobs.patch({ lost_select: 0.03 });
  await steppedThrough(clock, async () => {
    while (report.exchanges < options.exchanges) {
      moveInputs();
      failed = false;
      await step().catch(note);
      // Half of the failures are left to the next step, so that faults meet on the way back too.
      if (failed && random() < 0.5) await recover();
      report.exchanges += events.filter(
        (event) => event.kind === 'in' && event.bytes[0] !== WRITE_COMMAND,
      ).length;
      events.length = 0;
    }
    await recover();
  });
  await reader.close();
  twin.reset();
  // What is still on the line is none of the driver's.
  await clock.advance(options.atLineRate === true ? 20 : 0);
  report.pendingTimers = clock.pending;
  return report;
}

function drawFault(random: Random): UartFault {
  const fault: UartFault = {};
  // Half of the late answers come within the time limit, half behind it.
  if (random() < 0.05) fault.late_ms = random() < 0.5 ? 800 * random() : 900 + 1600 * random();
  if (random() < 0.02) fault.doubled = true;
  if (random() < 0.02) fault.truncate = Math.floor(3 * random());
  if (random() < 0.01) fault.corrupt = true;
  if (random() < 0.01) fault.foreign = true;
  if (random() < 0.01) fault.silent = true;
  if (fault.truncate === undefined && random() < 0.01) fault.stale_byte = Math.floor(256 * random());
  if (fault.truncate === undefined && random() < 0.01) fault.extra_byte = Math.floor(256 * random());
  return fault;
}

const isOk = (bytes: Uint8Array): boolean =>
  bytes.length === PROBE_ANSWER.length && bytes.every((byte, index) => byte === PROBE_ANSWER[index]);
