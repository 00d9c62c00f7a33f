import { messageOf } from '../../lib/errors/coded-error.ts';
import { EXIT } from '../errors/exit-code.ts';
import { processIo } from '../io/io.ts';
import { svcStart } from './command-line.ts';

// A terminal that was closed must not keep the rig from being stopped in order.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});

svcStart(process.argv.slice(2), processIo()).then(
  (exitCode) => process.exit(exitCode),
  (thrown: unknown) => {
    process.stderr.write(`svc-start: internal error: ${messageOf(thrown)}\n`);
    process.exit(EXIT.error);
  },
);
