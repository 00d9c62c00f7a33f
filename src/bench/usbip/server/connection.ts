import type { Socket } from 'node:net';
import type { Clock } from '../../../lib/clock/clock.ts';
import { UsbSession } from '../../usb/device/session.ts';
import { TransferStatus } from '../../usb/device/transfer.ts';
import { type Message, MessageReader } from '../protocol/message-reader.ts';
import { encodeDeviceList, encodeImported, encodeImportRefused } from '../protocol/operations.ts';
import { OperationStatus } from '../protocol/status.ts';
import { encodeSubmitReply, encodeUnlinkReply, type Submit, type Unlink } from '../protocol/urb.ts';
import type { UsbipPort } from './usbip-port.ts';

/** A client that has not imported a device by then is hung up on. */
export const OPERATION_LIMIT_MS = 10_000;
/** Most transfers that one host may have waiting; Linux has a few for each endpoint. */
export const MAX_WAITING_TRANSFERS = 256;
const KEEP_ALIVE_MS = 10_000;

/** One client: a list and the end, or an import and then transfers until somebody hangs up. */
export class UsbipConnection {
  readonly #socket: Socket;
  readonly #ports: readonly UsbipPort[];
  readonly #reader = new MessageReader();
  readonly #clock: Clock;
  readonly #cancelLimit: () => void;
  #imported: { port: UsbipPort; session: UsbSession } | undefined;
  #over = false;

  constructor(options: { socket: Socket; ports: readonly UsbipPort[]; clock: Clock }) {
    this.#socket = options.socket;
    this.#ports = options.ports;
    this.#clock = options.clock;
    this.#cancelLimit = options.clock.after(OPERATION_LIMIT_MS, () => this.hangUp());
    this.#socket.setNoDelay(true);
    this.#socket.setKeepAlive(true, KEEP_ALIVE_MS);
    this.#socket.on('data', (chunk: Uint8Array) => {
      this.#reader.push(chunk);
      this.#work();
    });
    this.#socket.on('drain', () => this.#socket.resume());
    // A client that resets its connection is a client that hangs up.
    this.#socket.on('error', () => {});
    this.#socket.on('close', () => this.hangUp());
  }

  /** Ends the connection, and with it an import: the device is free at once. */
  hangUp(): void {
    if (this.#imported) {
      this.#imported.session.end();
      this.#imported.port.hangUp = undefined;
      this.#imported = undefined;
    }
    this.#over = true;
    this.#cancelLimit();
    this.#socket.destroy();
  }

  #work(): void {
    while (!this.#over) {
      const message = this.#read();
      if (!message) return;
      this.#answer(message);
    }
  }

  /** @returns undefined when there is none, or the client does not speak USB/IP and was hung up on */
  #read(): Message | undefined {
    try {
      return this.#reader.next();
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      this.hangUp();
      return undefined;
    }
  }

  #answer(message: Message): void {
    switch (message.kind) {
      case 'list':
        this.#last(
          encodeDeviceList(this.#ports.filter(({ plugged }) => plugged).map(({ summary }) => summary)),
        );
        return;
      case 'import':
        this.#import(message.busId);
        return;
      case 'submit':
      case 'unlink':
        this.#transfer(message);
    }
  }

  #import(busId: string): void {
    const port = this.#ports.find((each) => each.plugged && each.busId === busId);
    if (!port) {
      this.#last(encodeImportRefused(OperationStatus.noDevice));
      return;
    }
    if (port.hangUp) {
      this.#last(encodeImportRefused(OperationStatus.deviceBusy));
      return;
    }
    this.#cancelLimit();
    this.#reader.imported();
    port.hangUp = () => this.hangUp();
    this.#imported = { port, session: new UsbSession(port.usb, this.#clock) };
    this.#send(encodeImported(port.summary));
  }

  #transfer(message: Submit | Unlink): void {
    const imported = this.#imported;
    if (!imported || message.deviceId !== imported.port.deviceId) {
      this.hangUp();
      return;
    }
    const { session } = imported;
    if (message.kind === 'unlink') {
      const status = session.unlink(message.unlinked) ? TransferStatus.unlinked : TransferStatus.ok;
      this.#send(encodeUnlinkReply(message.sequence, status));
      return;
    }
    session.submit(message, (end) => this.#send(encodeSubmitReply(message, end)));
    if (session.waiting > MAX_WAITING_TRANSFERS) this.hangUp();
  }

  #send(bytes: Buffer): void {
    if (this.#over) return;
    // A client that does not read its answers is not listened to until it does.
    if (!this.#socket.write(bytes)) this.#socket.pause();
  }

  /** A reply after which the client is expected to hang up. */
  #last(bytes: Buffer): void {
    this.#over = true;
    this.#socket.end(bytes);
  }
}
