import { REPORT_BYTES } from '../../../transports/hid/hid-transport.ts';

/**
 * The commands of the MCP2221A that a service sends. Reset (70), flash write (B1) and flash
 * password (B2) are left out on purpose: what is not here cannot be encoded (DEV-004).
 */
export const COMMAND = {
  status: 0x10,
  fetchI2c: 0x40,
  getGpio: 0x51,
  setSram: 0x60,
  getSram: 0x61,
  writeI2c: 0x90,
  readI2c: 0x91,
  writeI2cRepeated: 0x92,
  readI2cRepeated: 0x93,
  writeI2cNoStop: 0x94,
  readFlash: 0xb0,
} as const;

export type Command = (typeof COMMAND)[keyof typeof COMMAND];

const KNOWN: ReadonlySet<number> = new Set(Object.values(COMMAND));

/** One OUT report of a service: a permitted command, its bytes, zeros up to 64. */
export class Request {
  readonly command: Command;
  readonly #bytes: Uint8Array;

  /**
   * @param rest what follows the command byte
   * @throws RangeError for a command that no service may send, and for more than 63 bytes
   */
  constructor(command: Command, rest: readonly number[] = []) {
    if (!KNOWN.has(command))
      throw new RangeError(`command ${command.toString(16)} is not one that a service may send`);
    if (rest.length >= REPORT_BYTES)
      throw new RangeError(`a request has at most ${REPORT_BYTES} bytes, not ${rest.length + 1}`);
    this.command = command;
    this.#bytes = new Uint8Array(REPORT_BYTES);
    this.#bytes.set([command, ...rest]);
  }

  /** The 64 bytes of the report, without report id. */
  get bytes(): Uint8Array {
    return Uint8Array.from(this.#bytes);
  }

  /** Report id 0, then the 64 bytes: what hidraw takes (DEV-002). */
  get report(): Uint8Array {
    return Uint8Array.from([0, ...this.#bytes]);
  }
}
