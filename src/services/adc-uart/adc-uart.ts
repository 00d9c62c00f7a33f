import type { AdcServiceDefinition } from '../../rig/adc/adc-service.ts';
import { uartAdcSettings } from '../../rig/adc/settings.ts';
import { UartAdc } from '../../rig/adc/uart-adc.ts';
import { deviceRoutes } from './device.ts';
import { readingRoutes } from './readings.ts';

/** The UART module's diagnostics of profile `standalone`. */
export const adcUart: AdcServiceDefinition = {
  service: 'svc-adc-uart',
  description: 'UART ADC diagnostics: readings of the two-input module on the serial line',
  prefix: 'SVC_ADC_UART',
  defaultPort: 8213,
  build: (around) => {
    const adc = new UartAdc({ ...around, settings: uartAdcSettings(around.env) });
    return { devices: [adc], routes: [...deviceRoutes(adc, around), ...readingRoutes(adc, around)] };
  },
};
