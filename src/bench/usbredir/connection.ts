import type { Socket } from 'node:net';
import type { Clock } from '../../lib/clock/clock.ts';
import { version } from '../../lib/version.ts';
import type { TransferEnd } from '../usb/device/in-endpoint.ts';
import { UsbSession } from '../usb/device/session.ts';
import { TransferStatus } from '../usb/device/transfer.ts';
import type { UsbDevice } from '../usb/device/usb-device.ts';
import type { DataMessage, Message } from './protocol/decode.ts';
import {
  encode,
  encodeDevice,
  encodeHello,
  encodeParts,
  encodeReport,
  encodeTransfer,
} from './protocol/encode.ts';
import { MessageReader } from './protocol/message-reader.ts';
import { Status, type StatusCode, Type } from './protocol/types.ts';

/** A client that has not said hello by then is disconnected. */
export const HELLO_LIMIT_MS = 10_000;
/** Most transfers that the host may have waiting. */
export const MAX_WAITING_TRANSFERS = 256;
const IN = 0x80;
const REPORT_BYTES = 1024;
/** USB 2.0, table 9-4. */
const SET_CONFIGURATION = 9;
const SET_INTERFACE = 11;
const NOTHING = new Uint8Array();

/** A host (QEMU) that has one device, from its connection to its end. */
export class UsbredirConnection {
  readonly #socket: Socket;
  readonly #device: UsbDevice;
  readonly #clock: Clock;
  readonly #reader = new MessageReader();
  readonly #cancelLimit: () => void;
  /** Transfers that wait, by the host's number for them. */
  readonly #waiting = new Map<bigint, { sequence: number; message: DataMessage }>();
  /** Interrupt endpoints whose reports the host wants as they come, with the transfer that waits for the next one. */
  readonly #receiving = new Map<number, number>();
  #session: UsbSession | undefined;
  #sequence = 0;
  #isOver = false;

  constructor(options: { socket: Socket; device: UsbDevice; clock: Clock }) {
    this.#socket = options.socket;
    this.#device = options.device;
    this.#clock = options.clock;
    this.#cancelLimit = options.clock.after(HELLO_LIMIT_MS, () => this.hangUp());
    this.#socket.on('data', (chunk: Uint8Array) => {
      this.#reader.push(chunk);
      this.#work();
    });
    this.#socket.on('drain', () => this.#socket.resume());
    this.#socket.on('error', () => {});
    this.#socket.on('close', () => this.hangUp());
    this.#send(encodeHello(`svc-bench ${version}`));
  }

  /** The host sees the device unplugged. */
  hangUp(): void {
    this.#isOver = true;
    this.#cancelLimit();
    this.#session?.end();
    this.#session = undefined;
    this.#socket.destroy();
  }

  #work(): void {
    while (!this.#isOver) {
      const message = this.#read();
      if (!message) return;
      this.#answer(message);
    }
  }

  /** @returns undefined when there is none, or the client does not speak usb-redir and was disconnected */
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
    if (message.kind === 'hello') {
      this.#cancelLimit();
      this.#session = new UsbSession(this.#device, this.#clock);
      this.#send(encodeDevice(this.#session.descriptors));
      return;
    }
    const session = this.#session;
    if (!session) return;
    const { id } = message;
    switch (message.kind) {
      case 'reset':
        session.configure(0);
        return;
      case 'set_configuration':
        this.#standard(
          session,
          Uint8Array.of(0, SET_CONFIGURATION, message.value, 0, 0, 0, 0, 0),
          (status) => {
            this.#send(encodeParts(session.descriptors));
            this.#send(encode(Type.configurationStatus, id, Uint8Array.of(status, session.configuration)));
          },
        );
        return;
      case 'get_configuration':
        this.#send(
          encode(Type.configurationStatus, id, Uint8Array.of(Status.success, session.configuration)),
        );
        return;
      case 'set_alt_setting': {
        const { interface: of, value } = message;
        this.#standard(session, Uint8Array.of(1, SET_INTERFACE, value, 0, of, 0, 0, 0), (status) =>
          this.#send(encode(Type.altSettingStatus, id, Uint8Array.of(status, of, 0))),
        );
        return;
      }
      case 'get_alt_setting':
        this.#send(encode(Type.altSettingStatus, id, Uint8Array.of(Status.success, message.interface, 0)));
        return;
      case 'start_interrupt':
        this.#startReceiving(session, message.endpoint, id);
        return;
      case 'stop_interrupt':
        this.#stopReceiving(session, message.endpoint);
        this.#interruptStatus(Status.success, message.endpoint, id);
        return;
      case 'cancel':
        this.#cancel(session, id);
        return;
      case 'refused':
        this.hangUp();
        return;
      default:
        this.#transfer(session, message);
    }
  }

  /** A request that usb-redir has a message for. Nothing holds it back. */
  #standard(session: UsbSession, setup: Uint8Array, done: (status: StatusCode) => void): void {
    const transfer = {
      sequence: ++this.#sequence,
      direction: 'out',
      endpoint: 0,
      length: 0,
      data: NOTHING,
    } as const;
    session.submit({ ...transfer, setup }, ({ status }) => done(statusOf(status)));
  }

  #transfer(session: UsbSession, message: DataMessage & { id: bigint }): void {
    const { id, endpoint, length, setup, data } = message;
    // Two transfers of one number could not be told apart; a host that does so has lost its way.
    if (this.#waiting.has(id) || this.#waiting.size >= MAX_WAITING_TRANSFERS) {
      this.hangUp();
      return;
    }
    const sequence = ++this.#sequence;
    this.#waiting.set(id, { sequence, message });
    const direction = endpoint & IN ? 'in' : 'out';
    const number = message.kind === 'control' ? 0 : endpoint & 0x7f;
    session.submit({ sequence, direction, endpoint: number, length, setup, data }, (end) => {
      this.#waiting.delete(id);
      this.#finish(message, id, end);
    });
  }

  #finish(message: DataMessage, id: bigint, { status, length, data }: TransferEnd): void {
    this.#send(encodeTransfer(message, id, { status: statusOf(status), length, data }));
  }

  /** Of a transfer that has ended already the answer is on its way. */
  #cancel(session: UsbSession, id: bigint): void {
    const waiting = this.#waiting.get(id);
    if (!waiting || !session.unlink(waiting.sequence)) return;
    this.#waiting.delete(id);
    this.#finish(waiting.message, id, { status: TransferStatus.unlinked, length: 0, data: NOTHING });
  }

  #startReceiving(session: UsbSession, endpoint: number, id: bigint): void {
    if (!(endpoint & IN) || !session.hasEndpoint(endpoint)) {
      this.#interruptStatus(Status.invalid, endpoint, id);
      return;
    }
    this.#interruptStatus(Status.success, endpoint, id);
    if (!this.#receiving.has(endpoint)) this.#receive(session, endpoint);
  }

  #receive(session: UsbSession, endpoint: number): void {
    const sequence = ++this.#sequence;
    this.#receiving.set(endpoint, sequence);
    const transfer = { sequence, direction: 'in', endpoint: endpoint & 0x7f, length: REPORT_BYTES } as const;
    session.submit({ ...transfer, setup: NOTHING, data: NOTHING }, ({ status, data }) => {
      if (this.#isOver) return;
      if (status === TransferStatus.ok) {
        this.#send(encodeReport(endpoint, Status.success, data));
        this.#receive(session, endpoint);
        return;
      }
      this.#receiving.delete(endpoint);
      this.#interruptStatus(statusOf(status), endpoint, 0n);
    });
  }

  #stopReceiving(session: UsbSession, endpoint: number): void {
    const sequence = this.#receiving.get(endpoint);
    this.#receiving.delete(endpoint);
    if (sequence !== undefined) session.unlink(sequence);
  }

  #interruptStatus(status: StatusCode, endpoint: number, id: bigint): void {
    this.#send(encode(Type.interruptReceivingStatus, id, Uint8Array.of(status, endpoint)));
  }

  #send(bytes: Buffer): void {
    if (this.#isOver) return;
    // A host that does not read its answers is not listened to until it does.
    if (!this.#socket.write(bytes)) this.#socket.pause();
  }
}

function statusOf(status: number): StatusCode {
  switch (status) {
    case TransferStatus.ok:
      return Status.success;
    case TransferStatus.stall:
      return Status.stall;
    case TransferStatus.overflow:
      return Status.babble;
    case TransferStatus.unlinked:
      return Status.cancelled;
    default:
      return Status.ioError;
  }
}
