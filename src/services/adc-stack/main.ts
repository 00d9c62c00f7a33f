import { runAdcProgram } from '../../rig/adc/service/adc-program.ts';
import { adcStack } from './adc-stack.ts';

runAdcProgram(adcStack);
