import { runAdcProgram } from '../../rig/adc/adc-service.ts';
import { adcUsb } from './adc-usb.ts';

runAdcProgram(adcUsb);
