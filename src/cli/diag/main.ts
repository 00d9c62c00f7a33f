import { processIo } from '../io/io.ts';
import { runProgram } from '../io/run-program.ts';
import { diagProgram } from './diag-program.ts';

const args = process.argv.slice(2);

void runProgram(diagProgram(args), args, processIo()).then((exitCode) => {
  process.exitCode = exitCode;
});
