import { runProgram } from '../../lib/service/program.ts';
import { deviceService } from '../../rig/service/device-service.ts';
import { pumpService } from './pump-service.ts';

runProgram(deviceService(pumpService));
