import * as z from 'zod';
import { FrozenCodes } from '../frozen-codes.ts';
import { Knobs } from '../knobs.ts';
import { rtuKnobShape, rtuKnobs } from '../modbus-rtu/knobs.ts';
import { ILLEGAL_ADDRESS, type RtuTwinOptions, registerSlave } from '../modbus-rtu/register-slave.ts';
import { ModbusException } from '../modbus-rtu/responder.ts';
import type { RtuSlave } from '../modbus-rtu/slave.ts';
import { litresIn, METER, OUTPUT_LIMITS, registerOf } from './protocol.ts';

const FULL_SCALE = 32_000;
const WORD = 0x1_0000;

const knobsSchema = z.strictObject({
  ...rtuKnobShape,
  unit_id: z.int().min(1).max(247),
  /** Flow at 100 %, in the capacity unit. */
  capacity: z.number().positive(),
  capacity_unit: z.string().max(7),
  /** Time constant of the sensor, milliseconds. */
  response_ms: z.number().min(0).max(60_000),
  /** What it shows without flow, percent of the capacity. */
  zero_drift_pct: z.number().min(-100).max(100),
  /** The flow that it shows stays as it was; all else goes on. */
  freeze: z.boolean(),
  /** Its output ends so many counts before either end; 1 count is 1/32000 of the capacity. */
  clips_early: z.int().min(0).max(100),
  /** The alarm register: 1 is an error, 128 a hardware error. */
  alarm_info: z.int().min(0).max(255),
  /** Of another instrument where it is not DMFM. */
  device_type: z.string().max(6),
});

/** An EL-FLOW meter: registers that follow the flow (the manuals are named in `protocol.ts`). */
export class ElFlowTwin {
  readonly slave: RtuSlave;
  readonly knobs: Knobs<typeof knobsSchema.shape>;
  readonly #flow: () => number;
  readonly #frozen = new FrozenCodes<number>();

  /**
   * @param options.unit unit id at rest, 1..247. Default 3
   * @param options.baud of the line, bits per second. Default 19200
   * @param options.laggedFlow is given the time constant of the sensor, seconds; returns the flow that it follows, ln/min
   */
  constructor(
    options: RtuTwinOptions & {
      unit?: number;
      baud?: number;
      laggedFlow: (tauS: () => number) => () => number;
    },
  ) {
    this.knobs = new Knobs({
      device: 'el-flow',
      schema: knobsSchema,
      atRest: {
        ...rtuKnobs(),
        unit_id: options.unit ?? 3,
        capacity: 10,
        capacity_unit: 'ln/min',
        response_ms: 500,
        zero_drift_pct: 0,
        freeze: false,
        clips_early: 0,
        alarm_info: 0,
        device_type: METER,
      },
      ...(options.knobsChanged ? { changed: options.knobsChanged } : {}),
    });
    this.#flow = options.laggedFlow(() => this.knobs.value.response_ms / 1000);
    this.slave = registerSlave({
      ...options,
      baud: options.baud ?? 19_200,
      unit: () => this.knobs.value.unit_id,
      knobs: () => this.knobs.value,
      registers: () => this.#registers(),
    });
  }

  /** Knobs and faults at rest: the meter after its power came back. */
  reset(): void {
    this.slave.reset();
    this.knobs.reset();
  }

  #registers(): (address: number) => number {
    const { capacity, capacity_unit, zero_drift_pct, clips_early, alarm_info, device_type, freeze } =
      this.knobs.value;
    const flow = this.#frozen.code(0, freeze, this.#flow);
    const { low, high } = OUTPUT_LIMITS;
    const shown = flow / (litresIn(capacity_unit) ?? 1) / capacity + zero_drift_pct / 100;
    const early = clips_early / FULL_SCALE;
    const output = Math.min(high - early, Math.max(low + early, shown));
    const values = {
      measure: (Math.round(output * FULL_SCALE) + WORD) % WORD,
      fmeasure: output * capacity,
      alarmInfo: alarm_info,
      capacity,
      capacityUnit: capacity_unit,
      deviceType: device_type,
    };
    return (address) => {
      const register = registerOf(values, address);
      if (register === undefined) throw new ModbusException(ILLEGAL_ADDRESS);
      return register;
    };
  }
}
