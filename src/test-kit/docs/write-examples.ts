import { readFileSync, writeFileSync } from 'node:fs';
import { SvcctlProcess } from '../cli/svcctl-process.ts';
import { EXECUTED_PAGES, withRealOutput } from './console-examples.ts';

/** Part of `npm run docs`: writes what the console examples of the pages print now. */
const svcctl = new SvcctlProcess();
try {
  await svcctl.build();
  for (const page of EXECUTED_PAGES)
    writeFileSync(page, await withRealOutput(readFileSync(page, 'utf8'), svcctl));
} finally {
  svcctl.dispose();
}
