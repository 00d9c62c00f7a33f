import { HidHub } from '../../bench/usb/hid-hub.ts';
import { mcp2221aUsbDevice } from '../../bench/usb/mcp2221a.ts';
import { ticUsbDevice } from '../../bench/usb/tic.ts';
import type { UsbipDevice } from '../../bench/usbip/server/usbip-port.ts';
import { Mcp2221aTwin } from '../../devices/mcp2221a/twin.ts';
import { TicTwin } from '../../devices/tic/twin.ts';
import type { TwinEvent } from '../../devices/twin-event.ts';
import { type Clock, systemClock } from '../../lib/clock/clock.ts';
import { seededRandom } from '../../lib/random/seeded-random.ts';

/** A status answer of 64 bytes: revision A6 and 12, and pins that are not ADC pins yet. */
export const STATUS_ANSWER = /^10 00( ..){44} 41 36 31 32 FB 03 00 00 FA 03( ..){8}$/;

/** The twins of the bench, as bus ids 1-1 (device 2) and 1-2 (device 3), and what happened at them. */
export function usbTwins(clock: Clock = systemClock) {
  const adcEvents: TwinEvent[] = [];
  const ticEvents: TwinEvent[] = [];
  const adc = new Mcp2221aTwin({
    clock,
    random: seededRandom(1),
    listener: (event) => adcEvents.push(event),
  });
  const tic = new TicTwin({ clock, random: seededRandom(2), listener: (event) => ticEvents.push(event) });
  const hub = new HidHub(adc);
  const devices: UsbipDevice[] = [
    { busId: '1-1', usb: mcp2221aUsbDevice(hub) },
    { busId: '1-2', usb: ticUsbDevice(tic, () => tic.identity) },
  ];
  /** OUT reports that the chip was given. */
  const reports = (): Uint8Array[] =>
    adcEvents.flatMap((event) => (event.kind === 'in' ? [event.bytes] : []));
  return { adc, tic, hub, devices, reports, adcEvents, ticEvents };
}

export type UsbTwins = ReturnType<typeof usbTwins>;
