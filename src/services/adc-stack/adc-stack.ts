import type { AdcServiceDefinition } from '../../rig/adc/adc-service.ts';
import { healthRoutes } from './health.ts';
import { readingRoutes } from './readings.ts';
import { stackOf } from './stack.ts';

/** One contract of logical channels over both devices and the bank: profile `stack`. */
export const adcStack: AdcServiceDefinition = {
  service: 'svc-adc-stack',
  description:
    'Combined ADC stack: ai01 to ai03 over the chip on USB, the module on UART, and the remote bank',
  prefix: 'SVC_ADC_STACK',
  defaultPort: 8214,
  build: (around) => {
    const stack = stackOf(around);
    const { hid, uart, bank, ledger } = stack;
    const fingerprint = { start: () => ledger.begin(), close: async () => {} };
    return {
      devices: [hid, uart, bank, fingerprint].flatMap((one) => (one === undefined ? [] : [one])),
      routes: [...healthRoutes(stack, around), ...readingRoutes(stack, around)],
    };
  },
};
