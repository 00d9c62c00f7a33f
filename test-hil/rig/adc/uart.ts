import { onAdcBench } from './adc-bench.ts';
import { SharedService, type Work } from './shared-service.ts';

export type Members = Record<string, unknown>;

const shared = new SharedService('svc-adc-uart', ['uart']);

/** The service that the tests of this file share. */
export const onUart = (work: Work) => shared.use(work);
/** After the last test of a file. */
export const closeUart = () => shared.close();

/** A service of its own, with `env` on top, whether the module is there or not. */
export const onOwnUart = (work: Work, env: Record<string, string> = {}): Promise<void> =>
  onAdcBench(
    async (rig) => {
      const service = await rig.start('svc-adc-uart', env);
      await work(service.call, rig, service);
    },
    ['uart'],
  );
