import { runProgram } from '../../lib/service/program.ts';
import { deviceService } from '../../rig/service/device-service.ts';
import { sensorService } from './sensors.ts';

runProgram(deviceService(sensorService));
