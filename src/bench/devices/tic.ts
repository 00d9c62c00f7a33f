import * as z from 'zod';
import { ticFaultSchema } from '../../devices/tic/fault.ts';
import { TicTwin } from '../../devices/tic/twin.ts';
import { ticUsbDevice } from '../usb/tic.ts';
import { UsbSocket } from '../usb/usb-socket.ts';
import { defineBenchDevice, replyFaults } from './define-bench-device.ts';
import { benchSocketPort } from './socket-port.ts';

/** The lung's motor. Its shaft moves the lung of the plant, and the plant is its supply. */
export const tic = defineBenchDevice({
  name: 'tic',
  build: (context) => {
    const { plant, clock } = context;
    let isEnergized = false;
    const options = context.twinOptions((event) => {
      if (event.kind === 'motion') isEnergized = event.energized;
    });
    const twin = new TicTwin({ ...options, vinMv: () => plant.vinMv() });
    plant.attachLung({
      motion: () => twin.motion,
      isEnergized: () => isEnergized,
      supplyChanged: () => twin.update(),
    });
    // A Tic that has just got its supply holds its motor until it is told otherwise.
    isEnergized = twin.motion.energized;
    const identity = () => twin.identity;
    const socket = new UsbSocket({ path: context.path('tic.sock'), twin, identity, clock });
    return {
      twin,
      ports: { tic: benchSocketPort(socket) },
      faults: replyFaults(ticFaultSchema, (...faults) => twin.faultOnce(...faults)),
      usb: { busId: '1-2', usb: ticUsbDevice(twin, identity) },
    };
  },
  outputs: {
    shape: {
      /** Microsteps, and microsteps per second. */
      lung: z.object({ position: z.number(), velocity: z.number(), energized: z.boolean() }),
    },
    read: ({ motion }) => ({ lung: motion }),
  },
});
