import process from 'node:process';
import { runProgram } from '../../rig/service/program.ts';
import { SERVICE, startServer } from './start-server.ts';

/** Teardown 2.5 s, safe state 5 s, the record; the supervisor waits 10 s. */
const END_LIMIT_MS = 9500;

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
      fetch: (url, init) => globalThis.fetch(url, init),
    }),
});
