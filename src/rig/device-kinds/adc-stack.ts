import { http } from '../configuration/connection-schemas.ts';
import { defineDeviceKind } from './device-kind.ts';

/** The combined ADC services, whose voltages `adc_map` takes. */
export const adcStack = defineDeviceKind({
  role: 'service',
  kind: 'adc-stack',
  names: ['adc-stack'],
  title: 'the ADC stack',
  remedy: 'svcctl profile shows the ADC services; check USB and UART of the ADCs',
  healthKey: null,
  adapter: { name: 'ADC stack', protocol: 'http', description: 'combined ADC services' },
  connections: () => http,
  withoutFile: {},
  variables: [],
  owner: null,
});
