import { runAdcProgram } from '../../rig/adc/adc-service.ts';
import { adcUart } from './adc-uart.ts';

runAdcProgram(adcUart);
