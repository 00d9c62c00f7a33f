import { runAdcProgram } from '../../rig/adc/service/adc-program.ts';
import { adcUart } from './adc-uart.ts';

runAdcProgram(adcUart);
