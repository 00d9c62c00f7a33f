import { BenchClient } from '../bench/bench-client.ts';
import { CliError, usageError } from '../errors/cli-error.ts';
import { EXIT } from '../errors/exit-code.ts';
import type { Io } from '../io/io.ts';
import { BENCH_PRESSURES } from '../start/bench-config.ts';
import { type Ask, numberOf } from './options.ts';

/** What the standard shows at a point, in the unit of the calibration. */
export interface Reference {
  /** Before the readings of a point, and once more behind them where no one has to be asked. */
  read(nominal: number): Promise<number>;
  /** The reading can change while the sensor is read. */
  readonly isLive: boolean;
}

/** A person reads the standard. @throws CliError `input_ended` when the input ends before the last point */
export function askedReference(
  unit: string,
  isApplied: boolean,
  ask: Ask,
  say: (text: string) => void,
): Reference {
  return {
    isLive: false,
    read: async (nominal) => {
      const what = isApplied
        ? `about ${shown(nominal)} ${unit} are applied`
        : `apply ${shown(nominal)} ${unit}`;
      for (;;) {
        const answer = await ask(`${what}; reading of the standard in ${unit}`);
        if (answer === undefined)
          throw new CliError(
            'input_ended',
            'the input ended before the last point; nothing was changed',
            EXIT.error,
          );
        try {
          return numberOf(answer, 'the reading', () => true, `in ${unit}`);
        } catch (fault) {
          say(`${(fault as CliError).message}; read the standard again\n`);
        }
      }
    },
  };
}

/** The plant of the bench: the pressure as it is in truth. @throws CliError for a sensor or unit that the plant does not have */
export function benchReference(sensor: string, unit: string, url: string, io: Io): Reference {
  const index = BENCH_PRESSURES.findIndex((one) => one.sensor === sensor);
  const pressure = BENCH_PRESSURES[index];
  if (!pressure)
    throw usageError(
      `--bench-reference: the bench has no pressure for ${sensor}, only for ${BENCH_PRESSURES.map((one) => one.sensor).join(', ')}`,
    );
  if (pressure.unit !== unit)
    throw usageError(
      `--bench-reference: the pressure of ${sensor} on the bench is in ${pressure.unit}, not in ${unit}`,
    );
  const bench = new BenchClient(url, io);
  return {
    isLive: true,
    read: async () => {
      const { plant } = await bench.get<{ plant: { pressure_v: number[] } }>('outputs');
      const volts = plant.pressure_v[index];
      if (volts === undefined)
        throw new CliError('bench_failed', `the bench gives no pressure ${index + 1}`, EXIT.error);
      return volts * pressure.perVolt;
    },
  };
}

export const shown = (value: number): string => Number(value.toPrecision(6)).toString();
