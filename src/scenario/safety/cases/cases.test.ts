import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as assert from 'uvu/assert';
import { suite } from '../../../test-kit/suite.ts';
import { parseCases, type TextCase } from '../../cases/case-file.ts';
import { checkedCase, compareFindings } from './run-case.ts';

const test = suite('safety check');
const FOLDER = fileURLToPath(new URL('.', import.meta.url));

const cases = readdirSync(FOLDER)
  .filter((name) => name.endsWith('.case.txt'))
  .sort()
  .flatMap((name) => parseCases(readFileSync(join(FOLDER, name), 'utf8'), name));
const titles = new Set<string>();

/** Lines that a case expects: findings, or none; and the bound of its time. */
function expectations({ sections, place }: TextCase): { findings: readonly string[]; worst?: string } {
  const lines = (name: string) => sections.find((one) => one.name === name)?.lines;
  const unknown = sections.find(({ name }) => name !== 'findings' && name !== 'worst');
  const findings = lines('findings');
  if (unknown || !findings) throw new Error(`${place}: a case has findings, and may have worst`);
  const [worst] = lines('worst') ?? [];
  return { findings, ...(worst === undefined ? {} : { worst }) };
}

for (const one of cases) {
  if (titles.has(one.title)) throw new Error(`${one.place}: a second case "${one.title}"`);
  titles.add(one.title);
  test(one.title, () => {
    const { findings, worst } = expectations(one);
    const checked = checkedCase(one);
    const { actual, expected } = compareFindings(checked, findings);
    assert.fixture(actual.join('\n'), expected.join('\n'), one.place);
    if (worst !== undefined) assert.is(`${checked.safety?.worstCaseS ?? 'unbounded'}`, worst, one.place);
  });
}

test('at least 60 unsafe and 30 safe scenarios are judged', () => {
  const safe = cases.filter((one) => expectations(one).findings.join() === 'none');
  assert.ok(cases.length - safe.length >= 60, `${cases.length - safe.length} unsafe`);
  assert.ok(safe.length >= 30, `${safe.length} safe`);
});

test.run();
