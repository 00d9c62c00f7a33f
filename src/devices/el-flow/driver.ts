import type { Exchange } from '../exchange.ts';
import type { ModbusMaster, ModbusSession } from '../modbus-rtu/master.ts';
import { ModbusUnit, type ReadOptions, type UnitReading } from '../modbus-rtu/unit.ts';
import {
  alarmsOf,
  CAPACITY_UNITS,
  floatOf,
  litresIn,
  METER,
  OUTPUT_LIMITS,
  type Parameter,
  readParameter,
  textOf,
} from './protocol.ts';

const NO_METER = 'this is no EL-FLOW mass flow meter; check the port, and the unit id of the meter';

/**
 * A meter replies within 50 ms; the rest is for the adapter and for a machine under load. A request is sent once: the
 * valve board on the same line has to be read back within a second, also while the meter is silent.
 */
const REPLY_MS = 250;

/** Less time than it takes to put another meter in its place. */
const RANGE_VALID_MS = 1000;

/** Part of the capacity, 1.5 counts of `measure`: a meter may stop one count before or behind the end of its output. */
const END_SLACK = 1.5 / 32_000;

/** Part of the capacity that is less than the meter's accuracy: two flows that differ by less agree. */
const TOLERANCE = 0.001;

/** A question whose reply has another shape than that for the parameter (`ModbusUnit.read`). */
const FENCES: Partial<Record<Parameter, Parameter>> = { alarmInfo: 'fmeasure' };

export interface FlowReading {
  /** ln/min: litres at 0 °C and 1013.25 hPa. */
  normalLitresPerMinute: number;
  /** When the reading had come in, the first of several equal ones: wall clock, milliseconds since the Unix epoch. */
  observedAt: number;
  /** At an end of the meter's output: the true flow may lie beyond. */
  saturated: boolean;
}

/** What the numbers of the meter mean. */
interface FlowRange {
  /** Flow at 100 %, in the meter's unit. */
  capacity: number;
  /** ln/min in one of the meter's unit. */
  litres: number;
  generation: number;
  readAtMs: number;
}

/** A Bronkhorst EL-FLOW mass flow meter on a Modbus RTU line. It is read only. */
export class ElFlow {
  readonly #unit: ModbusUnit;
  #range: FlowRange | undefined;

  /**
   * @param options.unit 1..247; meters leave their factory as 1
   * @param options.device name in errors. Default `el-flow`
   */
  constructor(line: ModbusMaster, options: { unit: number; device?: string }) {
    this.#unit = new ModbusUnit(line, options.device ?? 'el-flow', options.unit);
  }

  /** Flow at 100 %, ln/min, as it was read last; undefined before, and after a failed exchange. */
  get capacity(): number | undefined {
    return this.#range && this.#range.capacity * this.#range.litres;
  }

  /**
   * Identifies the meter and reads its capacity and unit, which is repeated by itself ahead of a reading.
   *
   * @throws DeviceError `wrong_device`, `setting_refused` when it measures in a unit that cannot be used, and those of
   *   `ModbusMaster.run`
   */
  start(signal?: AbortSignal): Promise<void> {
    return this.#run(
      async (session) => {
        await this.#readRange(session);
      },
      signal ? { signal } : {},
    );
  }

  /** Whether it can measure: identifies the meter and takes one reading. @throws as `start` and `read` */
  probe(signal?: AbortSignal): Promise<void> {
    return this.#run(
      async (session) => {
        await this.#readRange(session);
        await this.#measure(session);
      },
      signal ? { signal } : {},
    );
  }

  /** @throws DeviceError as `start`, `device_error` when the meter reports an error, `corrupt_response` */
  read(options: Exchange = {}): Promise<FlowReading> {
    return this.#run((session) => this.#measure(session), options);
  }

  /** A job after whose failure the meter is identified anew: it may have been exchanged for another. */
  #run<T>(work: (session: ModbusSession) => Promise<T>, options: Exchange): Promise<T> {
    return this.#unit.run(async (session) => {
      try {
        return await work(session);
      } catch (error) {
        this.#range = undefined;
        throw error;
      }
    }, options);
  }

  async #measure(session: ModbusSession): Promise<FlowReading> {
    const { capacity, litres } = await this.#freshRange(session);
    const { data, observedAt } = await this.#ask(session, 'fmeasure', (first, second) => {
      const difference = Math.abs(floatOf(first) - floatOf(second));
      return difference <= TOLERANCE * capacity || Buffer.compare(first, second) === 0;
    });
    const alarms = alarmsOf((await this.#ask(session, 'alarmInfo')).data);
    if (alarms.length > 0) {
      const message = `the meter reports ${alarms.join(' and ')}, so its flow is no measurement; see its alarm info`;
      throw this.#unit.fail('device_error', message);
    }
    const flow = floatOf(data);
    const { low, high } = OUTPUT_LIMITS;
    const isWithin = (slack: number) => flow > (low - slack) * capacity && flow < (high + slack) * capacity;
    if (!isWithin(END_SLACK)) {
      const message = `flow ${flow} is beyond what a meter of capacity ${capacity} can put out`;
      throw this.#unit.fail('corrupt_response', message, { reason: 'range' });
    }
    return { normalLitresPerMinute: flow * litres, observedAt, saturated: !isWithin(-END_SLACK) };
  }

  async #freshRange(session: ModbusSession): Promise<FlowRange> {
    const known = this.#range;
    const isFresh =
      known?.generation === this.#unit.generation && this.#unit.monotonic() - known.readAtMs < RANGE_VALID_MS;
    return isFresh ? known : this.#readRange(session);
  }

  async #readRange(session: ModbusSession): Promise<FlowRange> {
    const { generation } = this.#unit;
    await this.#identify(session);
    const unit = textOf((await this.#ask(session, 'capacityUnit')).data);
    const litres = litresIn(unit);
    if (litres === undefined) {
      const message = `the meter measures in "${unit}"; set its capacity unit to ${CAPACITY_UNITS}`;
      throw this.#unit.fail('setting_refused', message);
    }
    const capacity = floatOf((await this.#ask(session, 'capacity')).data);
    if (!Number.isFinite(capacity) || capacity <= 0) {
      const message = `the meter reports a capacity of ${capacity} ${unit}`;
      throw this.#unit.fail('corrupt_response', message, { reason: 'range' });
    }
    const range = { capacity, litres, generation, readAtMs: this.#unit.monotonic() };
    this.#range = range;
    return range;
  }

  async #identify(session: ModbusSession): Promise<void> {
    const { data } = await this.#unit.identify(() => this.#ask(session, 'deviceType'), NO_METER);
    const type = textOf(data);
    if (type !== METER) throw this.#unit.fail('wrong_device', `its device type is "${type}": ${NO_METER}`);
  }

  #ask(session: ModbusSession, parameter: Parameter, agree?: ReadOptions['agree']): Promise<UnitReading> {
    const fence = FENCES[parameter] ?? 'alarmInfo';
    const { id } = this.#unit;
    return this.#unit.read(session, readParameter(id, parameter), readParameter(id, fence), {
      urgent: { replyWithinMs: REPLY_MS },
      ...(agree ? { agree } : {}),
    });
  }
}
