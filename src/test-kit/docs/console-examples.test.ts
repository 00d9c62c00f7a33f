import { readFileSync } from 'node:fs';
import * as assert from 'uvu/assert';
import { SvcctlProcess } from '../cli/svcctl-process.ts';
import { suite } from '../suite.ts';
import { EXECUTED_PAGES, withRealOutput } from './console-examples.ts';

const test = suite('console examples of docs/');
const svcctl = new SvcctlProcess();
test.before(() => svcctl.build());
test.after(() => svcctl.dispose());

for (const page of EXECUTED_PAGES)
  test(`${page} shows what its commands print (npm run docs)`, async () => {
    const text = readFileSync(page, 'utf8');
    assert.is(text, await withRealOutput(text, svcctl));
  });

test.run();
