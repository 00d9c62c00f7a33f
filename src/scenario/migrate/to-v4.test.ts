import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import * as assert from 'uvu/assert';
import { suite } from '../../test-kit/suite.ts';
import { parseCases } from '../cases/case-file.ts';
import { formatScenario } from '../format/format.ts';
import { hasErrors, loadScenario } from '../load.ts';
import { validateScenario } from '../profiles/report.ts';
import { V4_TEXT_RULES } from '../profiles/v4-rules.ts';
import { renderPlan } from '../program/render-plan.ts';
import { fileLoader } from '../syntax/file-loader.ts';
import { differenceOf, toV4 } from './to-v4.ts';

const test = suite('migration to version 4');
const options = { loader: fileLoader({ libraryRoot: 'scenarios' }) };

/** The plan as printed lines, which say all of it; calls of macros aside, and LOOP as REPEAT. */
const plan = (text: string): string[] =>
  renderPlan(loadScenario(text, 'x.oql', options).program)
    .filter((line) => !/^\s*(?:call|step|no-effect) /.test(line))
    .map((line) => line.trim().replace(/^loop (\d+)(?: times)?$/, 'repeat $1'));

function texts(): [name: string, text: string][] {
  const shipped = readdirSync('scenarios', { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.oql'))
    .map((name): [string, string] => [name, readFileSync(path.join('scenarios', name), 'utf8')]);
  const folder = 'src/scenario/cases';
  const cases = readdirSync(folder)
    .filter((name) => name.endsWith('.case.txt'))
    .flatMap((name) => parseCases(readFileSync(path.join(folder, name), 'utf8'), name))
    .map(({ title, input }): [string, string] => [title, input]);
  return [...shipped, ...cases];
}

test(
  'LANG-062 every example and case keeps its plan in version 4, or is refused with a place in it',
  () => {
    const counts = { migrated: 0, unchanged: 0, unsupported: 0, invalid: 0 };
    for (const [name, text] of texts()) {
      const result = toV4(text, 'x.oql', options);
      counts[result.status]++;
      if (result.status === 'migrated') {
        assert.equal(plan(result.text), plan(text), name);
        const { diagnostics, document } = loadScenario(result.text, 'x.oql', options);
        assert.is(document.declaredVersion, 4, name);
        assert.not.ok(hasErrors(diagnostics), name);
        assert.is(toV4(result.text, 'x.oql', options).status, 'unchanged', name);
        assert.equal(formatScenario(result.text, 'x.oql', options), { text: result.text }, name);
      } else if (result.status === 'unsupported')
        for (const { pos, reason } of result.unsupported) {
          assert.ok(pos.line >= 1 && pos.line <= text.split(/\r\n?|\n/).length, name);
          assert.ok(reason.length > 10, name);
        }
    }
    assert.ok(counts.migrated > 200 && counts.unsupported > 20, JSON.stringify(counts));
  },
  { timeoutMs: 120_000 },
);

test('LANG-062 the shipped examples of versions 1, 2 and 3 are valid as version 4 after migration', async () => {
  for (const version of [1, 2, 3]) {
    const text = readFileSync(`scenarios/examples/version-${version}.oql`, 'utf8');
    const result = toV4(text, 'x.oql', options);
    if (result.status !== 'migrated') throw new Error(`version ${version}: ${result.status}`);
    const report = await validateScenario(result.text, 'x.oql', { as: 4 });
    assert.ok(report.valid, JSON.stringify(report));
  }
  assert.ok(V4_TEXT_RULES.length > 0);
});

test('a changed limit, unit, sensor, order, block or default is a difference, with its place', () => {
  const before = "DEFAULT H 5 V\nGOAL:\n  SET NAME 'a'\n  CHECK AI01 <= 5 V\n  WAIT 5 s\n";
  for (const [from, to, line] of [
    ['<= 5 V', '<= 6 V', 4],
    ['<= 5 V', '<= 5 bar', 4],
    ['CHECK AI01', 'CHECK AI02', 4],
    ['WAIT 5 s', 'WAIT 5 min', 5],
    ['  WAIT 5 s\n', '', 5],
    ['WAIT 5 s', 'WAIT 5 s\n  WAIT 5 s', 5],
    ["'a'", "'b'", 2],
    ['GOAL:', 'CONFIG:', 2],
    ['H 5', 'H 6', 1],
  ] as const) {
    const [one, other] = [before, before.replace(from, to)].map((text) => loadScenario(text, 'x.oql'));
    assert.is(differenceOf(one!, other!)?.pos.line, line, `${from} -> ${to}`);
  }
  const same = [before, before].map((text) => loadScenario(text, 'x.oql'));
  assert.is(differenceOf(same[0]!, same[1]!), undefined);
});

test.run();
