import { type AdcBench, type Answer, onAdcBench } from '../../rig/adc/service/testing-service.ts';
import { adcUart } from './adc-uart.ts';

export type Members = Record<string, unknown>;
type Call = (path: string, init?: RequestInit) => Promise<Answer>;

/** The service on a twin of its own, with `env` on top. */
export const onUart = (
  work: (call: Call, rig: AdcBench) => Promise<void>,
  env: Record<string, string> = {},
) =>
  onAdcBench(
    async (rig) => {
      const { call } = await rig.start(adcUart, env);
      await work(call, rig);
    },
    ['uart'],
  );
