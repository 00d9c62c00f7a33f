import { readFileSync } from 'node:fs';
import * as assert from 'uvu/assert';
import { suite } from '../../test-kit/suite.ts';
import { CATALOGUE } from '../diagnostics/catalogue.ts';
import { caseRig } from './cases/case-rig.ts';
import { loadChecked } from './load-checked.ts';

const test = suite('docs/safety-check.md');
const page = readFileSync('docs/safety-check.md', 'utf8');
const safety = caseRig(['--shipped', '--peripheral lamp', '--limit pumpMaxPct=50'], 'docs');

/** Each code with its name and example. */
const examples = [...page.matchAll(/^### (SCN\d{3}) (\S+)\n\n```\n(.*?)```/gms)];

test('every code of the safety check has an example', () => {
  const codes = Object.entries(CATALOGUE).filter(([code]) => /^SCN27[1-7]$/.test(code));
  assert.equal(
    examples.map(([, code, name]) => [code, name]),
    codes.map(([code, { name }]) => [code, name]),
  );
});

for (const [, code, , text = ''] of examples)
  test(`the example of ${code} is found`, () => {
    const { diagnostics } = loadChecked(text, 'docs.oql', { safety });
    assert.ok(
      diagnostics.some((one) => one.code === code),
      diagnostics.map((one) => `${one.code} ${one.message}`).join('\n'),
    );
  });

test.run();
