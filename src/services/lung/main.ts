import { deviceService } from '../../rig/service/device-service.ts';
import { runProgram } from '../../rig/service/program.ts';
import { svcLung } from './svc-lung.ts';

runProgram(deviceService(svcLung));
