import { deviceService } from '../../rig/service/device-service.ts';
import { runProgram } from '../../rig/service/program.ts';
import { pumpService } from './pump-service.ts';

runProgram(deviceService(pumpService));
