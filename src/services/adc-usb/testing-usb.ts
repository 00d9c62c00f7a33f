import type { AdcServiceDefinition } from '../../rig/adc/service/adc-service.ts';
import { type AdcBench, type Answer, onAdcBench, until } from '../../rig/adc/service/testing-service.ts';
import { adcUsb } from './adc-usb.ts';

/** Without the lock of the real chip, which another test run on this machine may hold. */
export const unlocked: AdcServiceDefinition = {
  ...adcUsb,
  build: (around) => {
    const { devices, routes } = adcUsb.build(around);
    const start = () => {
      for (const device of devices) device.start?.();
    };
    const close = async () => {
      for (const device of devices) await device.close();
    };
    return { routes, devices: [{ start, close }] };
  },
};

type Call = (path: string, init?: RequestInit) => Promise<Answer>;

/** The service on a twin of its own that answers, with `env` on top. */
export const onUsb = (work: (call: Call, rig: AdcBench) => Promise<void>, env: Record<string, string> = {}) =>
  onAdcBench(
    async (rig) => {
      const { call } = await rig.start(adcUsb, env);
      await until(async () => (await call('/api/v1/adc')).status === 200);
      await work(call, rig);
    },
    ['usbhid'],
  );
