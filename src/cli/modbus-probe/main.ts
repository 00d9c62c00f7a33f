import { processIo } from '../io/io.ts';
import { runProgram } from '../io/run-program.ts';
import { modbusProbeProgram } from './modbus-probe.ts';

const args = process.argv.slice(2);

void runProgram(modbusProbeProgram(args), args, processIo()).then((exitCode) => {
  process.exitCode = exitCode;
});
