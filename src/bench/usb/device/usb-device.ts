import type { UsbDescriptors } from '../descriptors/usb-descriptors.ts';
import type { InEndpoint } from './in-endpoint.ts';
import type { SetupPacket } from './setup-packet.ts';

/** A device that a host can be given. */
export interface UsbDevice {
  /** As they are now; a host that has the device keeps those it was given. */
  readonly descriptors: UsbDescriptors;
  /** A host has it from now on; its state is that after power-up. */
  attach(): UsbFunction;
}

/** A part of a device, or all of it, in the hands of a host. */
export interface UsbFunction {
  /**
   * A class or vendor request on endpoint 0.
   *
   * @param data data stage of an OUT request
   * @returns data stage of an IN request, empty for OUT; undefined is a STALL
   */
  control(setup: SetupPacket, data: Uint8Array): Uint8Array | undefined;
  /** How long the answer to the last request is held back, milliseconds; Infinity when it never comes. Default 0. */
  readonly answerDelayMs?: number;
  /** By address: the number, with 0x80 for IN. */
  readonly endpoints: ReadonlyMap<number, InEndpoint | OutEndpoint>;
  /** The host is gone. */
  detach(): void;
}

export interface OutEndpoint {
  /** One whole transfer. */
  receive(bytes: Uint8Array): void;
}

/** Several functions as one device. A request is taken by the first of them that knows it. */
export function composite(functions: readonly UsbFunction[]): UsbFunction {
  return {
    control: (setup, data) => {
      for (const each of functions) {
        const answer = each.control(setup, data);
        if (answer) return answer;
      }
      return undefined;
    },
    endpoints: new Map(functions.flatMap(({ endpoints }) => [...endpoints])),
    detach: () => {
      for (const each of functions) each.detach();
    },
  };
}
