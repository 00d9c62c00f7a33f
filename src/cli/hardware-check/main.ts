import { processIo } from '../io/io.ts';
import { runProgram } from '../io/run-program.ts';
import { hardwareCheckProgram } from './hardware-check.ts';

const args = process.argv.slice(2);

void runProgram(hardwareCheckProgram(args), args, processIo()).then((exitCode) => {
  process.exitCode = exitCode;
});
