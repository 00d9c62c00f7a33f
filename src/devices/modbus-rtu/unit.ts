import type { JobOptions } from '../../lib/queue/job-queue.ts';
import { DeviceError, failureOf, nameDevice } from '../device-error.ts';
import type { ModbusMaster, ModbusSession } from './master.ts';
import type { ModbusRequest } from './request.ts';

/** Exceptions up to this one say that function, address or value are not known; later ones tell of trouble. */
const ILLEGAL_VALUE = 3;

/** One device on a line: its unit id, its name in errors, and jobs that are told apart by it. */
export class ModbusUnit {
  /** Unit id, 1..255. */
  readonly id: number;
  readonly #line: ModbusMaster;
  readonly #device: string;
  /** An error that names device, unit and endpoint. */
  readonly fail: ReturnType<typeof failureOf>;

  constructor(line: ModbusMaster, device: string, id: number) {
    this.#line = line;
    this.#device = device;
    this.id = id;
    this.fail = failureOf(device, line.endpoint, `${device} unit ${id} on ${line.endpoint}`);
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

  /**
   * A reading whose value counts. Where its answer could be one that is owed to another process, `fence` goes ahead: a
   * question whose answer looks different, an exception included.
   */
  async read(session: ModbusSession, request: ModbusRequest, fence: ModbusRequest): Promise<Uint8Array> {
    if (session.mayBeOld(request)) {
      await session.read(fence).catch((error: unknown) => {
        if (!(error instanceof DeviceError && error.code === 'modbus_exception')) throw error;
      });
    }
    return session.read(request);
  }

  /**
   * Asks what only the wanted device can answer.
   *
   * @param otherKind what to say of a device that does not know the question
   * @throws DeviceError `wrong_device` then, with the exception
   */
  async identify<T>(ask: () => Promise<T>, otherKind: string): Promise<T> {
    try {
      return await ask();
    } catch (error) {
      const exception = error instanceof DeviceError ? error.exception : undefined;
      if (exception === undefined || exception > ILLEGAL_VALUE) throw error;
      const message = `it answers with Modbus exception ${exception} where the wanted device would not: ${otherKind}`;
      throw this.fail('wrong_device', message, { exception, sent: true, cause: error });
    }
  }
}
