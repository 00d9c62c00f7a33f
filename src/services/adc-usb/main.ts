import { runAdcProgram } from '../../rig/adc/service/adc-program.ts';
import { adcUsb } from './adc-usb.ts';

runAdcProgram(adcUsb);
