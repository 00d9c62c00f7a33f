import type { Clock } from '../../../lib/clock/clock.ts';
import type { UsbDescriptors } from '../descriptors/usb-descriptors.ts';
import { UrbStatus } from '../protocol/status.ts';
import type { Submit } from '../protocol/urb.ts';
import { ControlPipe, type HeldAnswer } from './control-pipe.ts';
import { ended, InEndpoint, type TransferEnd } from './in-endpoint.ts';
import { decodeSetup, type SetupPacket } from './setup-packet.ts';
import { type DeviceState, standardRequest } from './standard-requests.ts';
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
  submit(urb: Submit, done: (end: TransferEnd) => void): void {
    if (urb.endpoint === 0) {
      this.#pipe.submit({ sequence: urb.sequence, carryOut: () => this.#control(urb), done });
      return;
    }
    const address = urb.endpoint | (urb.direction === 'in' ? IN : 0);
    const endpoint = this.#function.endpoints.get(address);
    if (!endpoint || this.configuration === 0 || this.halted.has(address)) done(ended(UrbStatus.stall));
    else if (endpoint instanceof InEndpoint)
      endpoint.take({ sequence: urb.sequence, length: urb.length, done });
    else {
      done({ ...ended(UrbStatus.ok), length: urb.data.length });
      endpoint.receive(urb.data);
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

  #control(urb: Submit): HeldAnswer {
    const setup = decodeSetup(urb.setup);
    const atOnce = (end: TransferEnd): HeldAnswer => ({ end, delayMs: 0 });
    // A data stage in the other direction than the setup packet says cannot happen on a wire.
    if (setup.length > 0 && setup.direction !== urb.direction) return atOnce(ended(UrbStatus.stall));
    if (setup.direction === 'out' && setup.length !== urb.data.length) return atOnce(ended(UrbStatus.stall));
    if (setup.type === 'standard') return atOnce(dataStage(setup, urb, standardRequest(setup, this)));
    const answer = this.#function.control(setup, urb.data);
    return { end: dataStage(setup, urb, answer), delayMs: this.#function.answerDelayMs ?? 0 };
  }

  #inEndpoints(): InEndpoint[] {
    return [...this.#function.endpoints.values()].filter((endpoint) => endpoint instanceof InEndpoint);
  }
}

/** How a control transfer ends that the device answered so. @param answer undefined is a STALL */
function dataStage(setup: SetupPacket, urb: Submit, answer: Uint8Array | undefined): TransferEnd {
  if (!answer) return ended(UrbStatus.stall);
  if (setup.direction === 'out') return { ...ended(UrbStatus.ok), length: urb.data.length };
  const data = answer.slice(0, Math.min(setup.length, urb.length));
  return { status: UrbStatus.ok, length: data.length, data };
}
