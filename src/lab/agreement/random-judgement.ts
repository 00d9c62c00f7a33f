import type { Random } from '../../lib/random/seeded-random.ts';
import type { Volts } from './memory-bench.ts';

/** One step of the converter at 4.096 V, volts: what is read back exactly. */
const LSB_V = 0.000125;

/**
 * The rig of the generated scenarios: ai01 has a linear calibration to mbar, ai02 a table to bar, ai03 none, ai04 one to
 * °C.
 */
export const YAML = `
plugins:
  modbus-io: {connection_type: modbus-rtu, connection_params: {serial_port: /dev/valves}}
  pump-motor: {connection_type: modbus-rtu, connection_params: {serial_port: /dev/pump}}
  lung-motor: {connection_type: usb, connection_params: {}}
  sensor-adc: {connection_type: i2c, connection_params: {bus: /dev/i2c-1}}
sensors:
  ai01: {calibration: {id: cal-1, unit: mbar, kind: linear, scale: 250, offset: -100, source: gauge 1, due_at: 2040-01-01, confirmed_at: 2025-01-01, confirmed_by: test}}
  ai02: {calibration: {id: cal-2, unit: bar, kind: table, points: [[0, 0], [1, 2], [2, 6], [4, 12]], source: gauge 2, due_at: 2040-01-01, confirmed_at: 2025-01-01, confirmed_by: test}}
  ai04: {calibration: {id: cal-4, unit: °C, kind: linear, scale: 25, offset: -10, source: bath, due_at: 2040-01-01, confirmed_at: 2025-01-01, confirmed_by: test}}
`;

const SENSORS = ['AI01', 'AI02', 'AI03', 'AI04'] as const;
type Sensor = (typeof SENSORS)[number];

/** Units of each sensor with the value in it, from volts. */
const SCALES: Record<Sensor, Record<string, (volts: number) => number>> = {
  AI01: {
    V: (v) => v,
    mV: (v) => v * 1000,
    mbar: (v) => 250 * v - 100,
    kPa: (v) => (250 * v - 100) / 10,
    Pa: (v) => (250 * v - 100) * 100,
  },
  AI02: { V: (v) => v, bar: tableOf, mbar: (v) => tableOf(v) * 1000, kPa: (v) => tableOf(v) * 100 },
  AI03: { V: (v) => v, mV: (v) => v * 1000 },
  AI04: { V: (v) => v, '°C': (v) => 25 * v - 10, K: (v) => 25 * v - 10 + 273.15 },
};

function tableOf(volts: number): number {
  if (volts <= 1) return 2 * volts;
  if (volts <= 2) return 2 + 4 * (volts - 1);
  return 6 + 3 * (volts - 2);
}

export interface Judgement {
  source: string;
  volts: Volts;
}

/** Scenarios by chance that read, judge and calculate, with limits on both sides of what the inputs carry. */
export class RandomJudgement {
  readonly #random: Random;
  #volts: Volts = [0, 0, 0, 0];

  constructor(random: Random) {
    this.#random = random;
  }

  next(): Judgement {
    const volt = () => Math.round((0.1 + 3.1 * this.#random()) / LSB_V) * LSB_V;
    this.#volts = [volt(), volt(), volt(), volt()];
    const lines = ['MACRO judge:', `  CHECK $1 <= $2`, `  GET $1`];
    const goals = 1 + this.#below(3);
    for (let goal = 1; goal <= goals; goal++) lines.push(`GOAL g${goal}:`, ...this.#body(0, 6));
    if (this.#chance(0.2)) lines.push('CONFIG down:', ...this.#body(1, 2));
    return { source: `${lines.join('\n')}\n`, volts: this.#volts };
  }

  #below(limit: number): number {
    return Math.floor(this.#random() * limit);
  }

  #chance(probability: number): boolean {
    return this.#random() < probability;
  }

  #pick<T>(...choices: readonly [T, ...T[]]): T {
    return choices[this.#below(choices.length)] ?? choices[0];
  }

  #body(depth: number, most: number): string[] {
    const lines: string[] = [];
    for (let i = 1 + this.#below(most); i > 0; i--) lines.push(...this.#statement(depth));
    return lines.map((line) => `  ${line}`);
  }

  #statement(depth: number): string[] {
    const sensor = this.#pick(...SENSORS);
    const roll = this.#random();
    if (roll < 0.3) return this.#check(sensor);
    if (roll < 0.42) return [this.#bound(sensor), `GET ${sensor}`];
    if (roll < 0.5) return [this.#pick(`GET ${sensor}`, `VAL '${sensor}' '${this.#unit(sensor)}'`)];
    if (roll < 0.62) return this.#sampled(sensor);
    if (roll < 0.76) return this.#variable(sensor);
    if (roll < 0.8) return [`CALL judge ${sensor} '${this.#limit(sensor)}'`];
    if (roll < 0.84) return [`WAIT ${this.#pick('100 ms', '1 s', '5 s')}`];
    if (depth >= 2) return [`LOG 'here'`];
    return this.#nested(depth, sensor);
  }

  #unit(sensor: Sensor): string {
    const units = Object.keys(SCALES[sensor]) as [string, ...string[]];
    // Now and then one that the sensor cannot be read in.
    return this.#chance(0.01) ? this.#pick('s', 'l/min', 'A') : this.#pick(...units);
  }

  /** A limit in some unit of the sensor, near to what its input carries, or far away. */
  #limit(sensor: Sensor, side: -1 | 0 | 1 = 0, unit = this.#unit(sensor)): string {
    if (this.#chance(0.02)) return String(this.#near(this.#volts[SENSORS.indexOf(sensor)] ?? 0, side));
    const scale = SCALES[sensor][unit];
    if (!scale) return `1 ${unit}`;
    return `${this.#near(scale(this.#volts[SENSORS.indexOf(sensor)] ?? 0), side)} ${unit}`;
  }

  /** A lower and an upper limit, now and then in two units. */
  #limits(sensor: Sensor): [low: string, high: string] {
    const unit = this.#unit(sensor);
    return [
      this.#limit(sensor, -1, unit),
      this.#limit(sensor, 1, this.#chance(0.1) ? this.#unit(sensor) : unit),
    ];
  }

  #near(value: number, side: -1 | 0 | 1): number {
    const distance = Math.max(0.01, Math.abs(value)) * this.#pick(0.02, 0.2, 0.5);
    const way = side === 0 ? this.#pick(-1, 1) : this.#chance(0.85) ? side : -side;
    return Number((value + way * distance).toPrecision(6));
  }

  #check(sensor: Sensor): string[] {
    const comparison = this.#pick('<', '<=', '>', '>=');
    const [low, high] = this.#limits(sensor);
    return this.#pick(
      [`CHECK ${sensor} ${comparison} ${this.#limit(sensor)}`],
      [`CHECK ${low} <= ${sensor} <= ${high}`],
      [`IF '${sensor}' '${low}' .. '${high}'`, "  ERROR 'outside'"],
      [`IF '${sensor}' ${comparison} '${this.#limit(sensor)}' ELSE ERROR 'no'`],
      [`IF '${sensor}' ${comparison} '${this.#limit(sensor)}' ELSE WARNING 'odd'`],
      [`ASSERT_SENSOR ${sensor} ${comparison} ${this.#limit(sensor)}`],
      [`${sensor} ≤ ${this.#limit(sensor)} | ERROR 'high'`],
    );
  }

  #bound(sensor: Sensor): string {
    const [low, high] = this.#limits(sensor);
    return this.#pick(
      `MIN ${sensor} ${this.#limit(sensor, -1)}`,
      `MAX ${sensor} ${this.#limit(sensor, 1)}`,
      `RANGE ${sensor} ${low} .. ${high}`,
    );
  }

  #sampled(sensor: Sensor): string[] {
    const after = this.#pick(
      [`CHECK ${sensor}.avg <= ${this.#limit(sensor, 1)}`],
      [`CHECK ${sensor}.max <= ${this.#limit(sensor)}`],
      [`CHECK ${sensor}.delta < ${this.#pick('1 V', '5 mbar', '1 K', '2 bar', '0.5 °C')}`],
      [`CALC a = AVG '${sensor}'`, `CHECK a <= ${this.#limit(sensor, 1)}`],
      [],
    );
    const inside = this.#chance(0.3) ? [`IF_DELTA ${sensor} 1 s +${this.#pick('1 V', '5 mbar', '3 K')}`] : [];
    return [
      `SAMPLE ${sensor} START ${this.#pick('100 ms', '250 ms')}`,
      `WAIT ${this.#pick('1 s', '2 s')}`,
      ...inside,
      `SAMPLE ${sensor} STOP`,
      ...after,
    ];
  }

  #variable(sensor: Sensor): string[] {
    const unit = this.#unit(sensor);
    const limit = this.#limit(sensor, 0, unit);
    return this.#pick(
      [`SET limit '${limit}'`, `CHECK ${sensor} <= limit`],
      [`SET top '${limit}'`, `MAX ${sensor} $top`, `GET ${sensor}`],
      [`VAL '${sensor}' '${unit}'`, 'SAVE kept', `CHECK kept <= ${this.#limit(sensor, 1)}`],
      [
        `VAL '${sensor}' '${unit}'`,
        'SAVE kept',
        `CALC rest = SUB 'kept, ${limit}'`,
        `CHECK rest <= 0 ${unit}`,
      ],
      [
        `SAVE '${sensor}' 'kept'`,
        `CALC twice = MUL 'kept, 2'`,
        `CHECK twice > ${this.#limit(sensor, 0, 'V')}`,
      ],
    );
  }

  #nested(depth: number, sensor: Sensor): string[] {
    const body = () => this.#body(depth + 1, 3);
    const condition = `${sensor} ${this.#pick('<', '>')} ${this.#limit(sensor)}`;
    return this.#pick(
      [`IF ${condition}`, ...body(), 'ENDIF'],
      [`IF ${condition}`, ...body(), 'ELSE', ...body(), 'ENDIF'],
      [`REPEAT ${1 + this.#below(3)}:`, ...body(), 'REPEAT STOP'],
      [`LOOP ${1 + this.#below(3)} TIMES`, ...body(), 'ENDLOOP'],
      [`IF_FAIL '${sensor}' THEN`, ...body(), 'END'],
    );
  }
}
