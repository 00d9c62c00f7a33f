import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as assert from 'uvu/assert';
import { test } from '../../test-kit/suite.ts';
import { CaseContext } from './case-context.ts';
import { parseCases, type Section, type TextCase } from './case-file.ts';
import { SECTIONS } from './sections.ts';

const FOLDER = fileURLToPath(new URL('.', import.meta.url));
/** One file alone: `CASES=lines npx tsx src/scenario/cases/cases.test.ts`. */
const only = process.env.CASES;

const files = readdirSync(FOLDER)
  .filter((name) => name.endsWith('.case.txt') && (!only || name.includes(only)))
  .sort();
if (files.length === 0) throw new Error(`${FOLDER}: no case file${only ? ` named *${only}*` : ''}`);

const titles = new Set<string>();
for (const file of files)
  for (const one of parseCases(readFileSync(join(FOLDER, file), 'utf8'), file)) {
    if (titles.has(one.title)) throw new Error(`${one.place}: a second case "${one.title}"`);
    titles.add(one.title);
    test(one.title, () => runCase(one));
  }

async function runCase(one: TextCase): Promise<void> {
  const context = new CaseContext(one);
  try {
    for (const section of one.sections) {
      const check = SECTIONS[section.name];
      if (!check) throw new Error(`${one.place}: no section is called "${section.name}"`);
      const { actual, expected } = await check(context, section);
      expectLines(actual, expected, one, section);
    }
  } finally {
    context.close();
  }
}

function expectLines(
  actual: readonly string[],
  expected: readonly string[],
  { place }: TextCase,
  { name, line }: Section,
): void {
  const [got, wanted] = [actual.join('\n'), expected.join('\n')];
  if (got === wanted) return;
  const where = `${place.replace(/:\d+$/, '')}:${line} ==> ${name}`;
  // Through assert for its diff; the place leads to the arrow in the case file.
  try {
    assert.fixture(got, wanted);
  } catch (thrown) {
    if (thrown instanceof assert.Assertion) thrown.message = `${where}\n${got || '(nothing)'}`;
    throw thrown;
  }
}

test.run();
