import type { Clock } from '../../lib/clock/clock.ts';
import { messageOf } from '../../lib/errors/coded-error.ts';
import { readingFault } from '../../rig/hardware/reading-fault.ts';
import type { Json } from '../firmware-report.ts';

/** The rig under a lease. */
export interface CheckedRig {
  /** @param path below `hardware/`. @throws CodedError when the bridge refuses it */
  command(path: string): Promise<Json>;
  /** @throws CodedError */
  reading(sensor: string): Promise<Json>;
  /** Ends the lease, which makes the rig safe. @returns report of the safe state. @throws CodedError when it is not proven */
  end(): Promise<Json>;
}

export interface FunctionTest {
  name: string;
  passed: boolean;
  details: string;
  value?: number;
  unit?: 'V' | 'ms';
}

export interface FunctionCheck {
  tests: FunctionTest[];
  aborted: boolean;
  safe_state: { outcome: string };
}

export interface FunctionCheckOptions {
  clock: Clock;
  signal: AbortSignal;
  /** Inclusive, volts. */
  windows: Readonly<Record<Input, readonly [low: number, high: number]>>;
  /** What each input can measure, volts; undefined where it is not known. */
  ranges: Readonly<Record<Input, readonly [low: number, high: number] | undefined>>;
  progress: (test: FunctionTest) => void;
}

type Input = 'ai01' | 'ai02' | 'ai03';

/** Valve, sensor and input that belong together. */
const CHANNELS = [
  { valve: 'valve-nc', sensor: 'nc-sensor', input: 'ai01' },
  { valve: 'valve-sc', sensor: 'sc-sensor', input: 'ai02' },
  { valve: 'valve-wc', sensor: 'wc-sensor', input: 'ai03' },
] as const satisfies readonly { valve: string; sensor: string; input: Input }[];

const PUMP_PCT = 10;
/** 10 % of 255. */
const PUMP_DUTY = 26;
const PUMP_LIMIT_MS = 2000;
const SETTLE_MS = 500;
const MAX_AGE_MS = 1000;
const SAMPLES = 5;
const SAMPLE_PAUSE_MS = 100;

/** A test after which no other one may be made: an output may still be on. */
class Stopped extends Error {}

/**
 * The function check of the product: pump, valves and sensors respond as they should (diagnostics section 7). It calibrates nothing.
 * A failed test does not stop the others, unless the pump did not stop, a valve did not close, or the signal aborts. The rig is
 * always made safe.
 */
export async function functionCheck(rig: CheckedRig, options: FunctionCheckOptions): Promise<FunctionCheck> {
  const tests: FunctionTest[] = [];
  const add = (test: FunctionTest) => {
    tests.push(test);
    options.progress(test);
  };
  const { signal } = options;
  let aborted = false;
  try {
    for (const run of [pumpResponse, valves, sensors, windows]) await run(rig, options, add);
  } catch (thrown) {
    if (signal.aborted) aborted = true;
    else if (!(thrown instanceof Stopped)) throw thrown;
  }
  const end = await rig.end().then(
    (answer) => {
      const { outcome, steps } = (answer.safe_state ?? {}) as { outcome?: string; steps?: Json[] };
      const bad = (steps ?? [])
        .filter(({ ok }) => ok !== true)
        .map(({ name, detail }) => `${name}: ${detail}`);
      const passed = (outcome === 'safe' || outcome === 'simulated') && bad.length === 0;
      return {
        outcome: outcome ?? 'unknown',
        passed,
        details: bad.join('; ') || `every step is confirmed (${outcome})`,
      };
    },
    (fault: unknown) => ({ outcome: 'unknown', passed: false, details: messageOf(fault) }),
  );
  add({ name: 'safe_state', passed: end.passed, details: end.details });
  return { tests, aborted, safe_state: { outcome: end.outcome } };
}

type Part = (
  rig: CheckedRig,
  options: FunctionCheckOptions,
  add: (test: FunctionTest) => void,
) => Promise<void>;

const pumpResponse: Part = async (rig, { clock, signal }, add) => {
  signal.throwIfAborted();
  const commanded = async (percent: number, duty: number) => {
    const startedAtMs = clock.monotonic();
    const answer = await rig.command(`pump?power_pct=${percent}`);
    const ms = Math.round(clock.monotonic() - startedAtMs);
    const { verified, duty: read } = (answer.data ?? {}) as { verified?: unknown; duty?: unknown };
    const isSimulated = answer.simulated === true;
    if (answer.ok !== true || (!isSimulated && (verified !== true || read !== duty)))
      throw new Error(
        `${percent} % is not verified: ok ${answer.ok}, verified ${verified}, duty ${read}, wanted ${duty}`,
      );
    return ms;
  };
  const name = 'pump_response';
  let details: string;
  let passed = false;
  let value: number | undefined;
  try {
    value = await commanded(PUMP_PCT, PUMP_DUTY);
    passed = value <= PUMP_LIMIT_MS;
    details = `duty ${PUMP_DUTY} verified after ${value} ms${passed ? '' : `, permissible are ${PUMP_LIMIT_MS} ms`}`;
  } catch (fault) {
    details = messageOf(fault);
  }
  try {
    const stopMs = await commanded(0, 0);
    add({
      name,
      passed,
      details: `${details}; stopped after ${stopMs} ms`,
      ...(value === undefined ? {} : { value, unit: 'ms' }),
    });
  } catch (fault) {
    add({ name, passed: false, details: `${details}; it did not stop: ${messageOf(fault)}` });
    throw new Stopped();
  }
};

/** @throws Error when the read-back is not `open` */
async function switched(rig: CheckedRig, valve: string, open: boolean): Promise<void> {
  const answer = await rig.command(`valve/${valve}?value=${open}`);
  const isProven = answer.simulated === true || answer.verified === true;
  if (answer.ok !== true || answer.value !== open || !isProven)
    throw new Error(
      `${open ? 'open' : 'close'}: ok ${answer.ok}, read back ${answer.value}, verified ${answer.verified}`,
    );
}

const valves: Part = async (rig, { clock, signal }, add) => {
  for (const { valve } of CHANNELS) {
    signal.throwIfAborted();
    const name = `${valve}_calibration`;
    let opened: string | undefined;
    try {
      await switched(rig, valve, true);
      await clock.sleep(SETTLE_MS, signal);
    } catch (fault) {
      if (signal.aborted) throw fault;
      opened = messageOf(fault);
    }
    await closed(rig, valve, (fault) =>
      add({ name, passed: false, details: [opened, fault].filter(Boolean).join('; ') }),
    );
    add({ name, passed: opened === undefined, details: opened ?? 'opened and closed, both read back' });
  }
};

/** @param report gets why it did not close. @throws Stopped then */
async function closed(rig: CheckedRig, valve: string, report: (fault: string) => void): Promise<void> {
  try {
    await switched(rig, valve, false);
  } catch (fault) {
    report(`it did not close: ${messageOf(fault)}`);
    throw new Stopped();
  }
}

const sensors: Part = async (rig, { signal, ranges }, add) => {
  for (const { sensor, input } of CHANNELS) {
    signal.throwIfAborted();
    const name = `${sensor}_reading`;
    try {
      const volts = await voltsOf(rig, sensor);
      const range = ranges[input];
      if (!range)
        throw new Error(`${volts} V; the range of ${input} is not known, give range_volts in svc.yaml`);
      const [low, high] = range;
      const passed = volts >= low && volts <= high;
      add({ name, passed, details: `${volts} V, range ${low}..${high} V`, value: volts, unit: 'V' });
    } catch (fault) {
      add({ name, passed: false, details: messageOf(fault) });
    }
  }
};

const windows: Part = async (rig, options, add) => {
  const { clock, signal } = options;
  for (const { valve, input } of CHANNELS) {
    signal.throwIfAborted();
    const name = (state: string) => `window_${input.toUpperCase()}_${state}`;
    let opened = true;
    try {
      await switched(rig, valve, true);
    } catch (fault) {
      opened = false;
      add({ name: name('open'), passed: false, details: `${valve} did not open: ${messageOf(fault)}` });
    }
    if (opened) {
      await clock.sleep(SETTLE_MS, signal);
      add(await windowTest(rig, input, name('open'), options));
    }
    await closed(rig, valve, (details) =>
      add({ name: name('closed'), passed: false, details: `${valve}: ${details}` }),
    );
    await clock.sleep(SETTLE_MS, signal);
    add(await windowTest(rig, input, name('closed'), options));
  }
};

async function windowTest(
  rig: CheckedRig,
  input: Input,
  name: string,
  { clock, signal, windows: limits }: FunctionCheckOptions,
): Promise<FunctionTest> {
  const [low, high] = limits[input];
  try {
    let sum = 0;
    for (let count = 0; count < SAMPLES; count++) {
      if (count > 0) await clock.sleep(SAMPLE_PAUSE_MS, signal);
      sum += await voltsOf(rig, input);
    }
    const mean = sum / SAMPLES;
    // What is printed is what is judged.
    const value = Number(mean.toFixed(4));
    const passed = value >= low && value <= high;
    return {
      name,
      passed,
      details: `${value.toFixed(4)} V, wanted ${low.toFixed(3)}..${high.toFixed(3)} V`,
      value,
      unit: 'V',
    };
  } catch (fault) {
    if (signal.aborted) throw fault;
    return { name, passed: false, details: messageOf(fault) };
  }
}

/** A fresh voltage. @throws Error with the reason for what is none */
async function voltsOf(rig: CheckedRig, sensor: string): Promise<number> {
  const answer = await rig.reading(sensor);
  const { value, unit, age_ms: ageMs } = answer;
  const fault = readingFault(answer);
  if (answer.ok !== true) throw new Error(`${sensor}: ok is ${String(answer.ok)}`);
  if (fault) throw new Error(`${sensor}: ${fault.message}`);
  if (typeof value !== 'number' || !Number.isFinite(value) || unit !== 'V')
    throw new Error(`${sensor}: ${JSON.stringify(value)} ${JSON.stringify(unit)} is not a voltage`);
  if (typeof ageMs !== 'number' || ageMs > MAX_AGE_MS)
    throw new Error(`${sensor}: the reading is ${String(ageMs)} ms old, permissible are ${MAX_AGE_MS}`);
  return value;
}
