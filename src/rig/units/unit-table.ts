/** What a unit measures. Values convert only within one dimension. */
export type Dimension =
  | 'pressure'
  | 'flow'
  | 'normal-flow'
  | 'volume'
  | 'voltage'
  | 'current'
  | 'time'
  | 'temperature'
  | 'ratio'
  | 'force'
  | 'length'
  | 'count'
  | 'frequency'
  | 'rotation'
  | 'steps'
  | 'step-rate'
  | 'cycles';

export interface Unit {
  /** Canonical spelling, for example `l/min`. */
  readonly name: string;
  readonly dimension: Dimension;
  /** base = value * factor + offset; the base unit of a dimension has factor 1. */
  readonly factor: number;
  readonly offset: number;
}

const row = (dimension: Dimension, factor: number, names: string, offset = 0) =>
  ({ dimension, factor, offset, names: names.split(' ') }) as const;

/** Every known unit; the first spelling is the canonical one. */
export const UNIT_ROWS = [
  row('pressure', 1, 'Pa'),
  row('pressure', 100, 'hPa'),
  row('pressure', 1000, 'kPa'),
  row('pressure', 100, 'mbar'),
  row('pressure', 100_000, 'bar'),
  row('pressure', 9.80665, 'mmH2O mmH₂O'),
  row('pressure', 98.0665, 'cmH2O cmH₂O'),
  row('pressure', 133.322387415, 'mmHg'),
  row('pressure', 6894.757293168, 'psi'),
  row('flow', 1, 'l/min lpm'),
  row('flow', 60, 'l/s'),
  row('flow', 1 / 60, 'l/h'),
  row('flow', 0.001, 'ml/min'),
  row('flow', 0.06, 'ml/s'),
  row('flow', 1000 / 60, 'm3/h m³/h'),
  // Gas at 0 °C and 1013.25 hPa: a mass. It is l/min only at one temperature and pressure, and these are not measured.
  row('normal-flow', 1, 'ln/min'),
  row('normal-flow', 1 / 60, 'ln/h'),
  row('normal-flow', 0.001, 'mln/min'),
  row('volume', 1, 'l'),
  row('volume', 0.001, 'ml'),
  row('volume', 1000, 'm3 m³'),
  row('voltage', 1, 'V'),
  row('voltage', 0.001, 'mV'),
  row('current', 1, 'A'),
  row('current', 0.001, 'mA'),
  row('time', 1, 'ms'),
  row('time', 1000, 's'),
  row('time', 60_000, 'min'),
  row('time', 3_600_000, 'h'),
  row('temperature', 1, '°C C ℃', 273.15),
  row('temperature', 1, 'K'),
  row('temperature', 5 / 9, '°F ℉', 459.67 * (5 / 9)),
  row('ratio', 1, '%'),
  row('ratio', 1, '%RH'),
  row('force', 1, 'N'),
  row('force', 1000, 'kN'),
  row('force', 0.001, 'mN'),
  row('length', 1, 'm'),
  row('length', 0.01, 'cm'),
  row('length', 0.001, 'mm'),
  row('length', 1e-6, 'µm μm um'),
  row('count', 1, 'szt pcs'),
  row('frequency', 1, 'Hz'),
  row('rotation', 1, 'rpm'),
  row('steps', 1, 'steps step'),
  row('step-rate', 1, 'steps/s'),
  row('cycles', 1, 'cycles cycle'),
] as const;
