import { processIo } from '../io/io.ts';
import { runProgram } from '../io/run-program.ts';
import { syncProgram } from './sync-program.ts';

void runProgram(syncProgram, process.argv.slice(2), processIo()).then((exitCode) => {
  process.exitCode = exitCode;
});
