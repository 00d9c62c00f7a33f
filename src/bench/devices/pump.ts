import * as z from 'zod';
import { PUMP_BAUD } from '../../devices/dri0050/protocol.ts';
import { Dri0050Twin } from '../../devices/dri0050/twin.ts';
import { rtuFaultSchema } from '../../devices/modbus-rtu/fault.ts';
import { defineBenchDevice, replyFaults } from './define-bench-device.ts';
import { Rs485Line } from './rs485-line.ts';

/** The pump's driver on a line of its own. Its drive is the duty of the plant's pump. */
export const pump = defineBenchDevice({
  name: 'pump',
  build: (context) => {
    const line = new Rs485Line(context, { file: 'pump', baud: PUMP_BAUD });
    const options = context.twinOptions((event) => {
      if (event.kind === 'drive') context.plant.setDuty(event.fraction);
    });
    const twin = new Dri0050Twin({ lineClock: line.clock, ...options });
    return {
      twin,
      ports: { pump: line.ownerPort(twin.slave) },
      faults: replyFaults(rtuFaultSchema, (...faults) => twin.slave.faultOnce(...faults)),
      usb: { busId: '1-4', usb: line.usbDevice('PUMP') },
    };
  },
  outputs: {
    shape: {
      pump: z.object({
        duty: z.number(),
        enabled: z.boolean(),
        prescaler: z.number(),
        fraction: z.number(),
      }),
    },
    read: ({ output }) => ({ pump: output }),
  },
});
