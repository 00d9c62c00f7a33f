import { deviceService } from '../../rig/service/device-service.ts';
import { runProgram } from '../../rig/service/program.ts';
import { sensorService } from './sensors.ts';

runProgram(deviceService(sensorService));
