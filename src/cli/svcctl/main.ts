import { processIo } from '../io/io.ts';
import { svcctl } from './svcctl.ts';

const args = process.argv.slice(2);

void svcctl(args, processIo()).then((exitCode) => {
  process.exitCode = exitCode;
  // A bridge or a guard that was asked too and has not answered yet must not hold the operator up.
  if (args[0] === 'stop') endAfter(process.stdout);
});

/** Ends the process as soon as all that was printed is written. */
function endAfter(stream: NodeJS.WriteStream): void {
  if (stream.writableLength === 0) process.exit();
  stream.write('', () => process.exit());
}
