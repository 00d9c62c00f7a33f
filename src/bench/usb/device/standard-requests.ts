import { word } from '../descriptors/standard.ts';
import {
  configurationValueOf,
  descriptorOf,
  interfacesOf,
  type UsbDescriptors,
} from '../descriptors/usb-descriptors.ts';
import type { SetupPacket } from './setup-packet.ts';

/** USB 2.0, table 9-4. */
const Request = {
  getStatus: 0,
  clearFeature: 1,
  setFeature: 3,
  setAddress: 5,
  getDescriptor: 6,
  getConfiguration: 8,
  setConfiguration: 9,
  getInterface: 10,
  setInterface: 11,
} as const;

/** The only feature that these devices have: they wake no host and know no test modes. */
const ENDPOINT_HALT = 0;
const DONE = new Uint8Array();

/** What standard requests read and change. */
export interface DeviceState {
  readonly descriptors: UsbDescriptors;
  /** 0 until the host has chosen. */
  readonly configuration: number;
  readonly halted: ReadonlySet<number>;
  hasEndpoint(address: number): boolean;
  configure(value: number): void;
  setHalt(endpoint: number, halted: boolean): void;
}

/** The requests that every device answers on endpoint 0 (USB 2.0, section 9.4). @returns undefined for a STALL */
export function standardRequest(setup: SetupPacket, state: DeviceState): Uint8Array | undefined {
  switch (setup.recipient) {
    case 'device':
      return deviceRequest(setup, state);
    case 'interface':
      return interfaceRequest(setup, state);
    case 'endpoint':
      return endpointRequest(setup, state);
    case 'other':
      return undefined;
  }
}

function deviceRequest({ request, value }: SetupPacket, state: DeviceState): Uint8Array | undefined {
  const only = configurationValueOf(state.descriptors);
  switch (request) {
    case Request.getDescriptor:
      return descriptorOf(state.descriptors, value >> 8, value & 0xff);
    case Request.getStatus:
      // Bus powered, no remote wake-up.
      return Uint8Array.from(word(0));
    case Request.getConfiguration:
      return Uint8Array.of(state.configuration);
    case Request.setAddress:
      return DONE;
    case Request.setConfiguration:
      if (value !== 0 && value !== only) return undefined;
      state.configure(value);
      return DONE;
    default:
      return undefined;
  }
}

function interfaceRequest(
  { request, value, index }: SetupPacket,
  state: DeviceState,
): Uint8Array | undefined {
  if (index >= interfacesOf(state.descriptors).length) return undefined;
  switch (request) {
    case Request.getDescriptor:
      return state.descriptors.ofInterfaces.find(
        (entry) => entry.interface === index && entry.type === value >> 8 && (value & 0xff) === 0,
      )?.bytes;
    case Request.getStatus:
      return Uint8Array.from(word(0));
    case Request.getInterface:
      return Uint8Array.of(0);
    case Request.setInterface:
      return value === 0 ? DONE : undefined;
    default:
      return undefined;
  }
}

function endpointRequest({ request, value, index }: SetupPacket, state: DeviceState): Uint8Array | undefined {
  const isControl = (index & 0x7f) === 0;
  if (!isControl && !state.hasEndpoint(index)) return undefined;
  switch (request) {
    case Request.getStatus:
      return Uint8Array.from(word(state.halted.has(index) ? 1 : 0));
    case Request.clearFeature:
    case Request.setFeature:
      if (value !== ENDPOINT_HALT || isControl) return undefined;
      state.setHalt(index, request === Request.setFeature);
      return DONE;
    default:
      return undefined;
  }
}
