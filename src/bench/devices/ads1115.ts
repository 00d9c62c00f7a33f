import { ads1115FaultSchema } from '../../devices/ads1115/fault.ts';
import { DEFAULT_ADDRESS } from '../../devices/ads1115/protocol.ts';
import { Ads1115Twin } from '../../devices/ads1115/twin.ts';
import { I2cSocket } from '../i2c/i2c-socket.ts';
import { i2cAdapterUsbDevice } from '../usb/i2c-adapter.ts';
import { inputsOf } from './bench-context.ts';
import { defineBenchDevice, replyFaults } from './define-bench-device.ts';
import { benchSocketPort } from './socket-port.ts';

/** The sensor ADC, alone on an I2C bus; the USB ADC chip can have it on its bus too. */
export const ads1115 = defineBenchDevice({
  name: 'ads1115',
  build: (context) => {
    const twin = new Ads1115Twin({ ...context.twinOptions(), volts: inputsOf(context, 'ads1115') });
    const twins = new Map([[DEFAULT_ADDRESS, twin]]);
    return {
      twin,
      ports: { ads1115: benchSocketPort(new I2cSocket({ path: context.path('ads1115.sock'), twins })) },
      faults: replyFaults(ads1115FaultSchema, (...faults) => twin.faultOnce(...faults)),
      usb: { busId: '1-5', usb: i2cAdapterUsbDevice(twins, 'SENSORS') },
    };
  },
});
