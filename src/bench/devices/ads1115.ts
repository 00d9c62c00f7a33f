import { ads1115FaultSchema } from '../../devices/ads1115/fault.ts';
import { DEFAULT_ADDRESS } from '../../devices/ads1115/protocol.ts';
import { Ads1115Twin } from '../../devices/ads1115/twin.ts';
import { I2cSocket } from '../i2c/i2c-socket.ts';
import { SocketPort } from './socket-port.ts';
import { inputsOf, newStation, placeOf, type Surroundings } from './surroundings.ts';

/** The sensor ADC, alone on an I2C bus; the USB ADC chip can have it on its bus too. */
export function ads1115Station(around: Surroundings) {
  const { station, twinOptions } = newStation(around, 'ads1115');
  const twin = new Ads1115Twin({ ...twinOptions, volts: inputsOf(around, 'ads1115') });
  const socket = new I2cSocket({
    path: placeOf(around, 'ads1115.sock'),
    twins: new Map([[DEFAULT_ADDRESS, twin]]),
  });
  station.equip({
    twin,
    ports: [
      new SocketPort({
        name: 'ads1115',
        socket,
        address: () => `bench:${socket.path}`,
        path: () => socket.path,
      }),
    ],
    faults: { schema: ads1115FaultSchema, apply: (faults) => twin.faultOnce(...faults) },
  });
  return { station, twin };
}
