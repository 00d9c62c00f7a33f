import type { AdcServiceDefinition } from '../../rig/adc/adc-service.ts';
import { HidAdc } from '../../rig/adc/hid-adc.ts';
import { usbAdcSettings } from '../../rig/adc/settings.ts';
import { deviceRoutes } from './device.ts';
import { healthRoutes } from './health.ts';
import { readingRoutes } from './readings.ts';

/** The USB HID adapter of profile `standalone`. */
export const adcUsb: AdcServiceDefinition = {
  service: 'svc-adc-usb',
  description: 'USB HID ADC adapter: readings of the chip on USB',
  prefix: 'SVC_ADC_USB',
  defaultPort: 8212,
  build: (around) => {
    const adc = new HidAdc({ ...around, settings: usbAdcSettings(around.env) });
    return {
      devices: [adc],
      routes: [...healthRoutes(adc, around), ...deviceRoutes(adc, around), ...readingRoutes(adc, around)],
    };
  },
};
