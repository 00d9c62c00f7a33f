import { runProgram } from '../../lib/service/program.ts';
import { deviceService } from '../../rig/service/device-service.ts';
import { svcLung } from './svc-lung.ts';

runProgram(deviceService(svcLung));
