import { Knobs } from '../knobs.ts';
import {
  ILLEGAL_ADDRESS,
  ILLEGAL_VALUE,
  type RtuTwinOptions,
  registerSlave,
} from '../modbus-rtu/register-slave.ts';
import { ModbusException } from '../modbus-rtu/responder.ts';
import type { RtuSlave } from '../modbus-rtu/slave.ts';
import type { TwinListener } from '../twin-event.ts';
import { dri0050Knobs, dri0050KnobsSchema } from './knobs.ts';
import { DEFAULT_UNIT, MAX_DUTY, PID, PUMP_BAUD, REGISTERS, VID } from './protocol.ts';

/** A DRI0050: registers, and a drive that follows duty and enable. */
export class Dri0050Twin {
  readonly slave: RtuSlave;
  readonly knobs: Knobs<typeof dri0050KnobsSchema.shape>;
  readonly #tell: TwinListener;
  #duty = 0;
  #prescaler = 45;
  #enabled = false;

  /** @param options.baud of the line. Default 9600 */
  constructor(options: RtuTwinOptions & { baud?: number }) {
    this.#tell = options.listener ?? (() => {});
    this.knobs = new Knobs({
      device: 'pump',
      schema: dri0050KnobsSchema,
      atRest: dri0050Knobs(),
      ...(options.knobsChanged ? { changed: options.knobsChanged } : {}),
    });
    this.slave = registerSlave({
      ...options,
      baud: options.baud ?? PUMP_BAUD,
      unit: () => DEFAULT_UNIT,
      knobs: () => this.knobs.value,
      registers: () => (address) => this.#register(address),
      write: (address, value) => this.#write(address, value),
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
