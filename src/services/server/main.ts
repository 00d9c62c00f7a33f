import process from 'node:process';
import { setFlagsFromString } from 'node:v8';
import { runProgram } from '../../rig/service/program.ts';
import { SERVICE, startServer } from './start-server.ts';

/** Teardown 2.5 s, safe state 5 s, the record; the supervisor waits 10 s. */
const END_LIMIT_MS = 9500;

// The heap otherwise grows to several times its content before it is collected: 125 MB, measured, in place of 60 MB.
// This process has no deadline of milliseconds that collecting more often could miss; bridge and guard have.
setFlagsFromString('--optimize-for-size');

runProgram({
  service: SERVICE,
  description: 'API server: scenarios, their runs and the records of them',
  prefix: 'SVC_API',
  defaultPort: 8200,
  endLimitMs: END_LIMIT_MS,
  start: (context) =>
    startServer({
      ...context,
      cwd: process.cwd(),
    }),
});
