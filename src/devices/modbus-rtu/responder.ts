import { FaultInjector } from '../fault-injector.ts';
import type { RtuFault } from './fault.ts';

/** How a device ends a request it cannot carry out. */
export class ModbusException extends Error {
  readonly exception: number;

  constructor(exception: number) {
    super(`Modbus exception ${exception}`);
    this.exception = exception;
  }
}

/** Carries out one request. @param data what follows the function code, without CRC @returns the same of the reply */
export type ModbusHandler = (functionCode: number, data: Uint8Array) => Uint8Array | number[];

/**
 * What answers in a twin, whatever carries the frames: its unit id, what it does, and how its answers are spoilt. An RTU
 * slave and a TCP server may stand in front of the same one.
 */
export class Responder extends FaultInjector<RtuFault> {
  readonly #unit: () => number;
  readonly #handle: ModbusHandler;
  readonly #lasting: () => RtuFault;

  constructor(options: {
    unit: () => number;
    handle: ModbusHandler;
    /** What is done to every answer. */
    lasting: () => RtuFault;
  }) {
    super();
    this.#unit = options.unit;
    this.#handle = options.handle;
    this.#lasting = options.lasting;
  }

  get unit(): number {
    return this.#unit();
  }

  /** What is to be done to the answer to a request that has just come. */
  nextFault(): RtuFault {
    return { ...this.#lasting(), ...this.drawnFault() };
  }

  /** Forgets the faults of both kinds. */
  reset(): void {
    this.forgetFaults();
  }

  /** Whether it hears nothing at all, broadcasts included. */
  get isDeaf(): boolean {
    return this.#lasting().deaf === true;
  }

  /** @returns the answer from its function code on, an exception where the device refuses */
  carryOut(functionCode: number, data: Uint8Array): number[] {
    try {
      return [functionCode, ...this.#handle(functionCode, data)];
    } catch (thrown) {
      if (thrown instanceof ModbusException) return [functionCode | 0x80, thrown.exception];
      throw thrown;
    }
  }
}

/** The faults of an answer in words, for a trace; empty when there are none. */
export function noteOf(fault: RtuFault): string {
  return Object.entries(fault)
    .filter(([, value]) => value !== undefined && value !== false && value !== 0)
    .map(([name, value]) => (value === true ? name : `${name} ${value}`))
    .join(', ');
}
