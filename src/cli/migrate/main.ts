import { processIo } from '../io/io.ts';
import { runProgram } from '../io/run-program.ts';
import { migrateProgram } from './migrate-program.ts';

void runProgram(migrateProgram, process.argv.slice(2), processIo()).then((exitCode) => {
  process.exitCode = exitCode;
});
