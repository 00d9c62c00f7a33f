import type { I2cTwin, I2cTwinAnswer } from '../../twin.ts';

const REGISTERS = 256;

/**
 * What answers on the chip's bus: at each address of the knob `i2c_map` the twin that is wired there, and where none is
 * wired a row of registers.
 */
export class I2cDevices {
  readonly #wired: ReadonlyMap<number, I2cTwin>;
  readonly #map: () => readonly number[];
  readonly #rows = new Map<number, RegisterRow>();

  /** @param wired by their 7-bit addresses */
  constructor(wired: ReadonlyMap<number, I2cTwin>, map: () => readonly number[]) {
    this.#wired = wired;
    this.#map = map;
  }

  /** @param address 7 bits */
  at(address: number): I2cTwin | undefined {
    if (!this.#map().includes(address)) return undefined;
    return this.#wired.get(address) ?? this.#row(address);
  }

  /** The rows as after power-up. A wired twin has a supply of its own. */
  reset(): void {
    this.#rows.clear();
  }

  #row(address: number): RegisterRow {
    const row = this.#rows.get(address) ?? new RegisterRow(address);
    this.#rows.set(address, row);
    return row;
  }
}

/** Registers of one byte behind a pointer that counts on; at first each holds its number XOR the device's address. */
class RegisterRow implements I2cTwin {
  readonly #bytes: Uint8Array;
  #pointer = 0;

  constructor(address: number) {
    this.#bytes = Uint8Array.from({ length: REGISTERS }, (_, index) => index ^ address);
  }

  transfer([pointer, ...data]: Uint8Array, readCount: number): I2cTwinAnswer {
    if (pointer !== undefined) this.#pointer = pointer;
    for (const byte of data) this.#bytes[this.#next()] = byte;
    return { ok: true, bytes: Uint8Array.from({ length: readCount }, () => this.#bytes[this.#next()] ?? 0) };
  }

  #next(): number {
    return this.#pointer++ % REGISTERS;
  }
}
