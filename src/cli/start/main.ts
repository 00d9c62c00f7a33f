import { systemClock } from '../../lib/clock/clock.ts';
import { messageOf } from '../../lib/errors/coded-error.ts';
import { EXIT } from '../errors/exit-code.ts';
import { svcStart } from './command-line.ts';

const { stdout, stderr } = process;
// A terminal that was closed (EIO) or a reader that went away (EPIPE) must not keep the rig from being stopped in order.
for (const stream of [stdout, stderr]) stream.on('error', () => {});

const io = { env: process.env, cwd: process.cwd(), stdout, stderr, clock: systemClock };

svcStart(process.argv.slice(2), io).then(
  (exitCode) => process.exit(exitCode),
  (thrown: unknown) => {
    stderr.write(`svc-start: internal error: ${messageOf(thrown)}\n`);
    process.exit(EXIT.error);
  },
);
