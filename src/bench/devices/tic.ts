import { ticFaultSchema } from '../../devices/tic/fault.ts';
import { TicTwin } from '../../devices/tic/twin.ts';
import { UsbSocket } from '../usb/usb-socket.ts';
import { SocketPort } from './socket-port.ts';
import { newStation, placeOf, type Surroundings } from './surroundings.ts';

/** The lung's motor. Its shaft moves the lung of the plant, and the plant is its supply. */
export function ticStation(around: Surroundings) {
  let isEnergized = false;
  const { station, twinOptions } = newStation(around, 'tic', (event) => {
    if (event.kind === 'motion') isEnergized = event.energized;
  });
  const { plant } = around;
  const twin = new TicTwin({ ...twinOptions, vinMv: () => plant.vinMv() });
  plant.attachLung({
    motion: () => twin.motion,
    isEnergized: () => isEnergized,
    supplyChanged: () => twin.update(),
  });
  // A Tic that has just got its supply holds its motor until it is told otherwise.
  isEnergized = twin.motion.energized;
  const socket = new UsbSocket({
    path: placeOf(around, 'tic.sock'),
    twin,
    identity: () => twin.identity,
    clock: around.clock,
  });
  station.equip({
    twin,
    ports: [
      new SocketPort({ name: 'tic', socket, address: () => `bench:${socket.path}`, path: () => socket.path }),
    ],
    faults: { schema: ticFaultSchema, apply: (faults) => twin.faultOnce(...faults) },
  });
  return { station, twin };
}
