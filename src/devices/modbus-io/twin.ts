import { Knobs } from '../knobs.ts';
import type { LineSettings } from '../line-settings.ts';
import { lastingFault } from '../modbus-rtu/knobs.ts';
import {
  ILLEGAL_ADDRESS,
  ILLEGAL_FUNCTION,
  ILLEGAL_VALUE,
  type RtuTwinOptions,
} from '../modbus-rtu/register-slave.ts';
import { packBits, unpackBits, unpackWords, word } from '../modbus-rtu/request.ts';
import { ModbusException, Responder } from '../modbus-rtu/responder.ts';
import { RtuSlave } from '../modbus-rtu/slave.ts';
import { BAUD_RATES, type Baud, modbusIoKnobs, modbusIoKnobsSchema, PARITIES } from './knobs.ts';
import { Outputs } from './outputs.ts';
import { ALL_COILS, COILS, DEFAULT_BAUD, MODE_REGISTERS } from './protocol.ts';

const FLASH_ON = 0x0200;
const FLASH_OFF = 0x0400;
const FLASH_UNIT_MS = 100;
const LINE_SETTINGS = 0x2000;
const UNIT_ADDRESS = 0x4000;
const VERSION = 0x8000;

export interface ModbusIoTwinOptions extends RtuTwinOptions {
  /** Name in errors about knobs, where there are several boards. Default `modbus-io`. */
  device?: string;
  /** Unit id at rest, 1..255. Default 1. */
  unit?: number;
  /** Bit rate of the host's side and, at first, of the board. Default 19200. */
  lineBaud?: Baud;
}

/** A Waveshare Modbus RTU IO 8CH: bytes in, bytes out, eight outputs that really change. */
export class ModbusIoTwin {
  /** The RTU end. */
  readonly slave: RtuSlave;
  /** What answers; a Modbus TCP server may stand in front of it as well. */
  readonly responder: Responder;
  readonly knobs: Knobs<typeof modbusIoKnobsSchema.shape>;
  readonly #outputs: Outputs;

  constructor(options: ModbusIoTwinOptions) {
    const lineBaud = options.lineBaud ?? DEFAULT_BAUD;
    const listener = options.listener ?? (() => {});
    this.knobs = new Knobs({
      device: options.device ?? 'modbus-io',
      schema: modbusIoKnobsSchema,
      atRest: modbusIoKnobs(lineBaud, options.unit),
      changed: (patch) => {
        this.#outputs.follow(this.inputs);
        options.knobsChanged?.(patch);
      },
    });
    this.#outputs = new Outputs({
      clock: options.clock,
      listener,
      isStuck: (coil) => this.knobs.value.coil_stuck.includes(coil),
      modeOf: (coil) => this.knobs.value.modes?.[coil] ?? 0,
    });
    this.responder = new Responder({
      unit: () => this.knobs.value.device_id,
      handle: (functionCode, data) => this.#handle(functionCode, data),
      lasting: () => lastingFault(this.knobs.value),
    });
    this.slave = new RtuSlave({
      clock: options.clock,
      random: options.random,
      responder: this.responder,
      // So that a board whose address is forgotten can be found.
      answersBroadcast: (functionCode, data) =>
        functionCode === 0x03 && unpackWords(data)[0] === UNIT_ADDRESS,
      settings: () => this.knobs.value,
      listener,
      line: options.lineClock && { clock: options.lineClock, baud: lineBaud },
      ...(options.turnaroundMs === undefined ? {} : { turnaroundMs: options.turnaroundMs }),
    });
  }

  /** What the outputs are in truth, whatever was answered. */
  get coils(): boolean[] {
    return this.#outputs.states;
  }

  /** State of the eight inputs. */
  get inputs(): boolean[] {
    return [...this.knobs.value.inputs];
  }

  /** The host set its end of the line anew. */
  setLine(settings: Partial<LineSettings>): void {
    this.slave.setLine(settings);
  }

  /** Outputs off, knobs and faults at rest: the board after its power came back. */
  reset(): void {
    this.slave.reset();
    this.knobs.reset();
    this.#outputs.reset();
  }

  /** Moves an output as if by hand; a stuck one does not move. */
  force(coil: number, on: boolean): void {
    this.#outputs.move(coil, on);
  }

  #handle(functionCode: number, data: Uint8Array): number[] {
    const { exception } = this.knobs.value;
    if (exception !== null) throw new ModbusException(exception);
    const [address = 0, value = 0] = unpackWords(data);
    switch (functionCode) {
      case 0x01:
        return this.#readBits(this.coils, address, value);
      case 0x02:
        return this.#readBits(this.inputs, address, value);
      case 0x03:
        return this.#readRegisters(address, value);
      case 0x05:
        this.#writeCoil(address, value);
        return [...data];
      case 0x06:
        this.#writeRegister(address, value);
        return [...data];
      case 0x0f:
        this.#writeCoils(address, value, data.subarray(4));
        return [...data.subarray(0, 4)];
      case 0x10:
        this.#writeRegisters(address, value, data.subarray(4));
        return [...data.subarray(0, 4)];
      default:
        throw new ModbusException(ILLEGAL_FUNCTION);
    }
  }

  #readBits(bits: readonly boolean[], address: number, count: number): number[] {
    checkRange(address, count, 0, COILS);
    const packed = packBits(bits.slice(address, address + count));
    return [packed.length, ...packed];
  }

  #readRegisters(address: number, count: number): number[] {
    if (count < 1 || count > 125) throw new ModbusException(ILLEGAL_VALUE);
    const values = Array.from({ length: count }, (_, index) => this.#register(address + index));
    return [2 * count, ...values.flatMap(word)];
  }

  #register(address: number): number {
    const { modes, baud, parity, device_id } = this.knobs.value;
    const mode = modes?.[address - MODE_REGISTERS];
    if (mode !== undefined) return mode;
    if (address === LINE_SETTINGS) return (PARITIES.indexOf(parity) << 8) | BAUD_RATES.indexOf(baud);
    if (address === UNIT_ADDRESS) return device_id;
    if (address === VERSION) return 0x00c8;
    throw new ModbusException(ILLEGAL_ADDRESS);
  }

  #writeCoil(address: number, value: number): void {
    const flash = flashOf(address);
    if (flash) {
      this.#outputs.flash(flash.coil, flash.on, value * FLASH_UNIT_MS);
      return;
    }
    if (address !== ALL_COILS && address >= COILS) throw new ModbusException(ILLEGAL_ADDRESS);
    if (value !== 0xff00 && value !== 0x0000 && value !== 0x5500) throw new ModbusException(ILLEGAL_VALUE);
    const coils = address === ALL_COILS ? this.coils.keys() : [address];
    for (const coil of coils) {
      if (value === 0x5500) this.#outputs.toggle(coil);
      else this.#outputs.command(coil, value === 0xff00);
    }
  }

  #writeCoils(address: number, count: number, packed: Uint8Array): void {
    checkRange(address, count, 0, COILS);
    if (packed.length !== 1 + Math.ceil(count / 8)) throw new ModbusException(ILLEGAL_VALUE);
    unpackBits(packed.subarray(1), count).forEach((on, index) => {
      this.#outputs.command(address + index, on);
    });
  }

  #writeRegister(address: number, value: number): void {
    const { modes } = this.knobs.value;
    if (modes?.[address - MODE_REGISTERS] !== undefined) {
      if (value > 3) throw new ModbusException(ILLEGAL_VALUE);
      this.knobs.patch({
        modes: modes.map((mode, index) => (index === address - MODE_REGISTERS ? value : mode)),
      });
    } else if (address === LINE_SETTINGS) {
      const parity = PARITIES[value >> 8];
      const baud = BAUD_RATES[value & 0xff];
      if (!parity || baud === undefined) throw new ModbusException(ILLEGAL_VALUE);
      this.knobs.patch({ baud, parity });
    } else if (address === UNIT_ADDRESS) {
      if (value < 1 || value > 255) throw new ModbusException(ILLEGAL_VALUE);
      this.knobs.patch({ device_id: value });
    } else {
      throw new ModbusException(ILLEGAL_ADDRESS);
    }
  }

  #writeRegisters(address: number, count: number, data: Uint8Array): void {
    if (count < 1 || data.length !== 1 + 2 * count) throw new ModbusException(ILLEGAL_VALUE);
    checkRange(address, count, MODE_REGISTERS, COILS);
    unpackWords(data.subarray(1)).forEach((value, index) => {
      this.#writeRegister(address + index, value);
    });
  }
}

function flashOf(address: number): { coil: number; on: boolean } | undefined {
  if (address >= FLASH_ON && address < FLASH_ON + COILS) return { coil: address - FLASH_ON, on: true };
  if (address >= FLASH_OFF && address < FLASH_OFF + COILS) return { coil: address - FLASH_OFF, on: false };
  return undefined;
}

function checkRange(address: number, count: number, first: number, length: number): void {
  if (count < 1 || count > 2000) throw new ModbusException(ILLEGAL_VALUE);
  if (address < first || address + count > first + length) throw new ModbusException(ILLEGAL_ADDRESS);
}
