import { runAdcProgram } from '../../rig/adc/adc-service.ts';
import { adcStack } from './adc-stack.ts';

runAdcProgram(adcStack);
