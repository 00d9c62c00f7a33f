import { prepareDebian } from './debian-root.ts';

// The first part of npm run test:installed: takes a minute once.
prepareDebian().catch((fault: unknown) => {
  process.stderr.write(`test:installed: ${fault instanceof Error ? fault.message : String(fault)}\n`);
  process.exitCode = 1;
});
