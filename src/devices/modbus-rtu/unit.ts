import type { JobOptions } from '../../lib/queue/job-queue.ts';
import { DeviceError, type DeviceErrorDetails, nameDevice } from '../device-error.ts';
import type { ModbusMaster, ModbusSession } from './master.ts';

/** One device on a line: its unit id, its name in errors, and jobs that are told apart by it. */
export class ModbusUnit {
  /** Unit id, 1..255. */
  readonly id: number;
  readonly #line: ModbusMaster;
  readonly #device: string;

  constructor(line: ModbusMaster, device: string, id: number) {
    this.#line = line;
    this.#device = device;
    this.id = id;
  }

  /** Counts the openings of the port: what was known about the device before a new one may be wrong. */
  get generation(): number {
    return this.#line.generation;
  }

  /** Wall clock, milliseconds since the Unix epoch: the time of an observation. */
  now(): number {
    return this.#line.clock.now();
  }

  /** A job on the line; its errors name the device. */
  run<T>(work: (session: ModbusSession) => Promise<T>, options: JobOptions): Promise<T> {
    return this.#line.run(work, options).catch(nameDevice(this.#device));
  }

  /** An error that names device, unit and endpoint. */
  fail(code: DeviceError['code'], message: string, details: DeviceErrorDetails = {}): DeviceError {
    const { endpoint } = this.#line;
    return new DeviceError(code, `${this.#device} unit ${this.id} on ${endpoint}: ${message}`, {
      device: this.#device,
      endpoint,
      ...details,
    });
  }
}
