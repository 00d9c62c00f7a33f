import { bytesOf, hexOf } from '../../transports/hex.ts';
import { ByteClient } from './byte-client.ts';

/** What a transfer came to, as its 48-byte reply says. */
export interface Reply {
  sequence: number;
  status: number;
  /** Hex. */
  data: string;
}

/** `40 A1 ...` of words of 32 bits. */
export const words = (...values: number[]): string =>
  values.map((value) => hexOf(bytesOf((value >>> 0).toString(16).padStart(8, '0')))).join(' ');

/** The request to import: version 0111, command 8003, status, bus id in 32 bytes. */
export const importRequest = (busId: string): string =>
  `01 11 80 03 00 00 00 00 ${hexOf(Buffer.from(busId.padEnd(32, '\0'), 'latin1'))}`;

/** A host as `vhci_hcd` is one, written from the kernel's document and not from the server's code. */
export class UsbHost {
  readonly client: ByteClient;
  readonly #deviceId: number;
  #sequence = 0;

  private constructor(client: ByteClient, deviceId: number) {
    this.client = client;
    this.#deviceId = deviceId;
  }

  /** Imports a device of bus 1. @param deviceNumber as the list tells it */
  static async import(port: number, busId: string, deviceNumber: number): Promise<UsbHost> {
    const client = await ByteClient.open(port);
    client.send(importRequest(busId));
    const head = await client.read(8);
    if (head !== '01 11 00 03 00 00 00 00') throw new RangeError(`import answered ${head}`);
    await client.read(312);
    return new UsbHost(client, 0x1_0000 + deviceNumber);
  }

  /** Sends USBIP_CMD_SUBMIT. @returns its sequence number */
  submit(transfer: {
    direction: 'in' | 'out';
    endpoint: number;
    /** Of an IN transfer. */
    length?: number;
    setup?: string;
    /** Of an OUT transfer, hex. */
    data?: string;
  }): number {
    const { direction, endpoint, setup = '00 00 00 00 00 00 00 00', data = '' } = transfer;
    const length = direction === 'in' ? (transfer.length ?? 0) : bytesOf(data).length;
    const head = words(1, ++this.#sequence, this.#deviceId, direction === 'in' ? 1 : 0, endpoint);
    this.client.send(`${head} ${words(0, length, 0, 0, 0)} ${setup} ${data}`);
    return this.#sequence;
  }

  /** Sends USBIP_CMD_UNLINK. @returns its sequence number */
  unlink(sequence: number): number {
    this.client.send(
      words(2, ++this.#sequence, this.#deviceId, 0, 0, sequence, ...new Array<number>(6).fill(0)),
    );
    return this.#sequence;
  }

  /** Reads USBIP_RET_SUBMIT. @param direction of the transfer: the reply does not report whether data follows */
  async reply(direction: 'in' | 'out'): Promise<Reply> {
    const head = Buffer.from(bytesOf(await this.client.read(48)));
    const [command, sequence, device, way, endpoint] = [0, 4, 8, 12, 16].map((at) => head.readUInt32BE(at));
    if (command !== 3 || device !== 0 || way !== 0 || endpoint !== 0)
      throw new RangeError(`not a USBIP_RET_SUBMIT: ${hexOf(head)}`);
    const length = head.readUInt32BE(24);
    const data = direction === 'in' ? await this.client.read(length) : '';
    return { sequence: sequence ?? 0, status: head.readInt32BE(20), data };
  }

  /** One request on endpoint 0. @param setup 8 bytes, hex. @returns the data, or `STALL` or another error number */
  async control(setup: string, data = ''): Promise<string> {
    const bytes = Buffer.from(bytesOf(setup));
    const direction = bytes.readUInt8(0) & 0x80 ? 'in' : 'out';
    const length = bytes.readUInt16LE(6);
    const sequence = this.submit({ direction, endpoint: 0, length, setup, data });
    const reply = await this.reply(direction);
    if (reply.sequence !== sequence) throw new RangeError(`reply to ${reply.sequence}, not ${sequence}`);
    if (reply.status === 0) return reply.data;
    return reply.status === -32 ? 'STALL' : String(reply.status);
  }

  /** SET_CONFIGURATION 1, after which the other endpoints work. */
  async configure(): Promise<void> {
    if ((await this.control('00 09 01 00 00 00 00 00')) !== '') throw new RangeError('not configured');
  }
}
