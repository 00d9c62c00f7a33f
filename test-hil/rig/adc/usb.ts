import { onAdcBench } from './adc-bench.ts';
import { SharedService, untilGood, type Work } from './shared-service.ts';

const shared = new SharedService('svc-adc-usb', ['usbhid']);

/** The service that the tests of this file share. */
export const onUsb = (work: Work) => shared.use(work);
/** After the last test of a file. */
export const closeUsb = () => shared.close();

/** A service and a twin of its own, with `env` on top. */
export const onOwnUsb = (work: Work, env: Record<string, string> = {}): Promise<void> =>
  onAdcBench(
    async (rig) => {
      const service = await rig.start('svc-adc-usb', env);
      await untilGood(service.call);
      await work(service.call, rig, service);
    },
    ['usbhid'],
  );
