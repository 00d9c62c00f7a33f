import {
  type PointReadings,
  readingsOf,
  type TimedVolts,
  unsettled,
} from '../../diagnostics/calibration/readings.ts';
import { readingFault } from '../../rig/hardware/reading-fault.ts';
import { CliError } from '../errors/cli-error.ts';
import { EXIT } from '../errors/exit-code.ts';
import type { JsonObject } from '../io/call-service.ts';
import type { Io } from '../io/io.ts';
import type { BridgeCalls } from '../lease/bridge-calls.ts';

const INTERVAL_MS = 100;
/** Longest age of a sample of this moment, milliseconds (docs/sensors.md). */
const MAX_AGE_MS = 1000;

/** The voltage input of a sensor behind the bridge. */
export class SensorInput {
  /** Whether a reading came from a twin. */
  isBench = false;
  readonly #name: string;
  readonly #bridge: BridgeCalls;
  readonly #io: Pick<Io, 'clock'>;

  constructor(name: string, bridge: BridgeCalls, io: Pick<Io, 'clock'>) {
    this.#name = name;
    this.#bridge = bridge;
    this.#io = io;
  }

  /**
   * Waits until the input is settled, and takes readings, each of another conversion.
   * @throws CliError `sensor_unstable`, `sensor_saturated`, `sensor_simulated`; the signal's reason
   */
  async measure(
    place: string,
    { samples, settleTimeoutMs, signal }: { samples: number; settleTimeoutMs: number; signal: AbortSignal },
  ): Promise<PointReadings> {
    const { clock } = this.#io;
    const readings: TimedVolts[] = [];
    let last: unknown;
    const next = async () => {
      for (;;) {
        await clock.sleep(INTERVAL_MS, signal);
        const { volts, observed } = await this.#read(place);
        if (observed === last) continue;
        last = observed;
        readings.push({ volts, atMs: clock.monotonic() });
        return;
      }
    };
    const startedAtMs = clock.monotonic();
    for (;;) {
      await next();
      const why = unsettled(readings);
      if (why === undefined) break;
      if (clock.monotonic() - startedAtMs > settleTimeoutMs)
        throw new CliError(
          'sensor_unstable',
          `${this.#name} does not settle at ${place}: ${why} after ${Math.round(settleTimeoutMs / 1000)} s; check for leaks, or give more time by --settle-timeout`,
          EXIT.failed,
        );
    }
    readings.length = 0;
    while (readings.length < samples) await next();
    return readingsOf(readings.map(({ volts }) => volts));
  }

  async #read(place: string): Promise<{ volts: number; observed: unknown }> {
    const body = await this.#bridge.call('GET', `hardware/sensor/${encodeURIComponent(this.#name)}`);
    const fail = (code: string, why: string) =>
      new CliError(
        code,
        `${this.#name} at ${place}: ${why}`,
        code === 'sensor_saturated' ? EXIT.failed : EXIT.error,
      );
    if (body.simulated !== false)
      throw fail(
        'sensor_simulated',
        'the reading is simulated, and a simulation is not calibrated; start the bridge in real mode',
      );
    if (body.saturated === true)
      throw fail(
        'sensor_saturated',
        'the converter is at the end of its range; check the range of the points',
      );
    const fault = readingFault(body);
    if (fault) throw fail('sensor_failed', fault.message);
    const { value, unit, age_ms: ageMs, observed_at: observed } = body as JsonObject;
    if (typeof value !== 'number' || !Number.isFinite(value) || unit !== 'V')
      throw fail('sensor_failed', `${JSON.stringify(value)} ${JSON.stringify(unit)} is not a voltage`);
    if (typeof observed !== 'string') throw fail('sensor_failed', 'the reading has no time of observation');
    if (typeof ageMs === 'number' && ageMs > MAX_AGE_MS)
      throw fail(
        'sensor_failed',
        `the reading is ${Math.round(ageMs)} ms old, permissible are ${MAX_AGE_MS}`,
      );
    if (body.bench === true) this.isBench = true;
    return { volts: value, observed };
  }
}
