import type { Clock } from '../../../lib/clock/clock.ts';
import type { UsbDescriptors } from '../descriptors/usb-descriptors.ts';
import { ControlPipe, type HeldAnswer } from './control-pipe.ts';
import { ended, InEndpoint, type TransferEnd } from './in-endpoint.ts';
import { decodeSetup, type SetupPacket } from './setup-packet.ts';
import { type DeviceState, standardRequest } from './standard-requests.ts';
import { type Transfer, TransferStatus } from './transfer.ts';
import type { UsbDevice, UsbFunction } from './usb-device.ts';

const IN = 0x80;

/** A device in the hands of one host, from its import to the end of the connection. */
export class UsbSession implements DeviceState {
  readonly descriptors: UsbDescriptors;
  readonly halted = new Set<number>();
  readonly #function: UsbFunction;
  readonly #pipe: ControlPipe;
  configuration = 0;

  constructor(device: UsbDevice, clock: Clock) {
    this.descriptors = device.descriptors;
    this.#function = device.attach();
    this.#pipe = new ControlPipe(clock);
  }

  /** Transfers that wait for the device. */
  get waiting(): number {
    return this.#inEndpoints().reduce((sum, endpoint) => sum + endpoint.waiting, this.#pipe.waiting);
  }

  /** @param done called once, at once or later; never after `unlink` returned true, nor after `end` */
  submit(transfer: Transfer, done: (end: TransferEnd) => void): void {
    if (transfer.endpoint === 0) {
      this.#pipe.submit({ sequence: transfer.sequence, carryOut: () => this.#control(transfer), done });
      return;
    }
    const address = transfer.endpoint | (transfer.direction === 'in' ? IN : 0);
    const endpoint = this.#function.endpoints.get(address);
    if (!endpoint || this.configuration === 0 || this.halted.has(address)) done(ended(TransferStatus.stall));
    else if (endpoint instanceof InEndpoint)
      endpoint.take({ sequence: transfer.sequence, length: transfer.length, done });
    else {
      done({ ...ended(TransferStatus.ok), length: transfer.data.length });
      endpoint.receive(transfer.data);
    }
  }

  /** @returns false when that transfer has ended already */
  unlink(sequence: number): boolean {
    return this.#pipe.cancel(sequence) || this.#inEndpoints().some((endpoint) => endpoint.cancel(sequence));
  }

  /** The host is gone: waiting transfers are forgotten, the device is free. */
  end(): void {
    this.#pipe.clear();
    this.#function.detach();
  }

  hasEndpoint(address: number): boolean {
    return this.#function.endpoints.has(address);
  }

  configure(value: number): void {
    this.configuration = value;
    this.halted.clear();
    for (const endpoint of this.#inEndpoints()) endpoint.clear();
  }

  setHalt(address: number, halted: boolean): void {
    if (!halted) {
      this.halted.delete(address);
      return;
    }
    this.halted.add(address);
    const endpoint = this.#function.endpoints.get(address);
    if (endpoint instanceof InEndpoint) endpoint.halt();
  }

  #control(transfer: Transfer): HeldAnswer {
    const setup = decodeSetup(transfer.setup);
    const atOnce = (end: TransferEnd): HeldAnswer => ({ end, delayMs: 0 });
    // A data stage in the other direction than the setup packet says cannot happen on a wire.
    if (setup.length > 0 && setup.direction !== transfer.direction)
      return atOnce(ended(TransferStatus.stall));
    if (setup.direction === 'out' && setup.length !== transfer.data.length)
      return atOnce(ended(TransferStatus.stall));
    if (setup.type === 'standard') return atOnce(dataStage(setup, transfer, standardRequest(setup, this)));
    const answer = this.#function.control(setup, transfer.data);
    return { end: dataStage(setup, transfer, answer), delayMs: this.#function.answerDelayMs ?? 0 };
  }

  #inEndpoints(): InEndpoint[] {
    return [...this.#function.endpoints.values()].filter((endpoint) => endpoint instanceof InEndpoint);
  }
}

/** How a control transfer ends that the device answered so. @param answer undefined is a STALL */
function dataStage(setup: SetupPacket, transfer: Transfer, answer: Uint8Array | undefined): TransferEnd {
  if (!answer) return ended(TransferStatus.stall);
  if (setup.direction === 'out') return { ...ended(TransferStatus.ok), length: transfer.data.length };
  const data = answer.slice(0, Math.min(setup.length, transfer.length));
  return { status: TransferStatus.ok, length: data.length, data };
}
