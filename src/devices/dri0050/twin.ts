import type { Clock } from '../../lib/clock/clock.ts';
import type { Random } from '../../lib/random/seeded-random.ts';
import { Knobs } from '../knobs.ts';
import { lastingFault } from '../modbus-rtu/knobs.ts';
import { unpackWords, word } from '../modbus-rtu/request.ts';
import { ModbusException, Responder } from '../modbus-rtu/responder.ts';
import { RtuSlave } from '../modbus-rtu/slave.ts';
import type { TwinListener } from '../twin-event.ts';
import { dri0050Knobs, dri0050KnobsSchema } from './knobs.ts';
import { DEFAULT_UNIT, MAX_DUTY, PID, PUMP_BAUD, REGISTERS, VID } from './protocol.ts';

const ILLEGAL_FUNCTION = 1;
const ILLEGAL_ADDRESS = 2;
const ILLEGAL_VALUE = 3;

/** A DRI0050: registers, and a drive that follows duty and enable (devices.md sections 7, 11). */
export class Dri0050Twin {
  readonly slave: RtuSlave;
  readonly knobs: Knobs<typeof dri0050KnobsSchema.shape>;
  readonly #tell: TwinListener;
  #duty = 0;
  #prescaler = 45;
  #enabled = false;

  constructor(options: {
    clock: Clock;
    random: Random;
    turnaroundMs?: number;
    /** Time of the line, where whole frames are handed over and answers keep the times of 9600 bit/s. Default: they do not. */
    lineClock?: Clock | undefined;
    listener?: TwinListener;
    knobsChanged?: (patch: Record<string, unknown>) => void;
  }) {
    this.#tell = options.listener ?? (() => {});
    this.knobs = new Knobs({
      device: 'pump',
      schema: dri0050KnobsSchema,
      atRest: dri0050Knobs(),
      ...(options.knobsChanged ? { changed: options.knobsChanged } : {}),
    });
    const responder = new Responder({
      unit: () => DEFAULT_UNIT,
      handle: (functionCode, data) => this.#handle(functionCode, data),
      lasting: () => lastingFault(this.knobs.value),
    });
    this.slave = new RtuSlave({
      clock: options.clock,
      random: options.random,
      responder,
      listener: this.#tell,
      line: options.lineClock && { clock: options.lineClock, baud: PUMP_BAUD },
      ...(options.turnaroundMs === undefined ? {} : { turnaroundMs: options.turnaroundMs }),
    });
  }

  /** What the driver does in truth. */
  get output(): { duty: number; enabled: boolean; prescaler: number; fraction: number } {
    const fraction = this.#enabled ? this.#duty / MAX_DUTY : 0;
    return { duty: this.#duty, enabled: this.#enabled, prescaler: this.#prescaler, fraction };
  }

  /** Drives the motor as if by somebody else. @param duty 1..255 */
  force(duty: number): void {
    this.#drive(duty, true);
  }

  /** Pump off, knobs and faults at rest: the driver after its power came back. */
  reset(): void {
    this.slave.reset();
    this.knobs.reset();
    this.#drive(0, false);
  }

  #handle(functionCode: number, data: Uint8Array): number[] {
    const { exception } = this.knobs.value;
    if (exception !== null) throw new ModbusException(exception);
    const [address = 0, value = 0] = unpackWords(data);
    if (functionCode === 0x03) {
      if (value < 1 || value > 125) throw new ModbusException(ILLEGAL_VALUE);
      const values = Array.from({ length: value }, (_, index) => this.#register(address + index));
      return [2 * value, ...values.flatMap(word)];
    }
    if (functionCode !== 0x06) throw new ModbusException(ILLEGAL_FUNCTION);
    this.#write(address, value);
    return [...data];
  }

  #register(address: number): number {
    switch (address) {
      case REGISTERS.pid:
        return this.knobs.value.wrong_pid ? 0xc031 : PID;
      case REGISTERS.vid:
        return VID;
      case REGISTERS.address:
        return DEFAULT_UNIT;
      case REGISTERS.version:
        return 0x0100;
      case REGISTERS.duty:
        return this.#duty;
      case REGISTERS.prescaler:
        return this.#prescaler;
      case REGISTERS.enable:
        return this.#enabled ? 1 : 0;
      default:
        throw new ModbusException(ILLEGAL_ADDRESS);
    }
  }

  #write(address: number, value: number): void {
    if (address < REGISTERS.duty || address > REGISTERS.enable) throw new ModbusException(ILLEGAL_ADDRESS);
    if (value > (address === REGISTERS.enable ? 1 : 255)) throw new ModbusException(ILLEGAL_VALUE);
    if (address === REGISTERS.prescaler) this.#prescaler = value;
    else if (address === REGISTERS.enable) this.#drive(this.#duty, value === 1);
    else if (!this.knobs.value.duty_stuck) this.#drive(value, this.#enabled);
  }

  #drive(duty: number, enabled: boolean): void {
    if (duty === this.#duty && enabled === this.#enabled) return;
    this.#duty = duty;
    this.#enabled = enabled;
    this.#tell({ kind: 'drive', fraction: this.output.fraction, duty, enabled });
  }
}
