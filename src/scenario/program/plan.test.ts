import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import * as assert from 'uvu/assert';
import { seededRandom } from '../../lib/random/seeded-random.ts';
import { RandomScenario } from '../../test-kit/scenario/random-scenario.ts';
import { suite } from '../../test-kit/suite.ts';
import { parseCases } from '../cases/case-file.ts';
import { COMMANDS } from '../commands/table.ts';
import { formatScenario } from '../format/format.ts';
import { hasErrors, loadScenario } from '../load.ts';
import { fileLoader } from '../syntax/file-loader.ts';
import { type IncludeLoader, noLoader } from '../syntax/include-loader.ts';
import { planOf } from './plan.ts';
import { renderCommands } from './render-plan.ts';

const test = suite('plan');

/** The lines of --plan. */
function planLines(source: string, loader: IncludeLoader): string[] {
  const { program } = loadScenario(source, 'plan.oql', { loader });
  return planOf(program).blocks.flatMap(({ kind, name, teardown, optional, commands }) => [
    `${kind} ${name} ${teardown} ${optional}`,
    ...renderCommands(commands),
  ]);
}

/** @returns false for a text with errors, which cannot be formatted */
function requireSamePlan(source: string, loader: IncludeLoader = noLoader): boolean {
  if (hasErrors(loadScenario(source, 'plan.oql', { loader }).diagnostics)) return false;
  const formatted = formatScenario(source, 'plan.oql', { loader });
  assert.ok('text' in formatted, source);
  assert.equal(planLines(formatted.text, loader), planLines(source, loader), source);
  return true;
}

const filesBelow = (folder: string, extension: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith(extension))
    .sort()
    .map((name) => path.join(folder, name));

test('LANG-082 --plan of every shipped scenario is the same before and after format', () => {
  // A library has no blocks of its own.
  const files = filesBelow('scenarios', '.oql').filter(
    (file) => !file.startsWith(path.join('scenarios', 'lib')),
  );
  for (const file of files)
    assert.ok(
      requireSamePlan(
        readFileSync(file, 'utf8'),
        fileLoader({ libraryRoot: path.resolve('scenarios'), topDir: path.resolve(path.dirname(file)) }),
      ),
      file,
    );
  assert.ok(files.length > 12);
});

test('LANG-082 --plan of every text case and command example is the same before and after format', () => {
  const inputs = filesBelow('src/scenario', '.case.txt').flatMap((file) =>
    parseCases(readFileSync(file, 'utf8'), file).map(({ input }) => input),
  );
  const examples = COMMANDS.flatMap(({ examples }) =>
    examples.map((one) => `GOAL:\n  SET NAME 'g'\n${one.replace(/^/gm, '  ')}\n`),
  );
  const formatted = [...inputs, ...examples].filter((input) => requireSamePlan(input));
  assert.ok(formatted.length > 200, `${formatted.length} texts`);
});

test('LANG-082 --plan of 200 random scenarios is the same before and after format', () => {
  const random = new RandomScenario(seededRandom(82));
  let formatted = 0;
  for (let i = 0; i < 200; i++) if (requireSamePlan(random.text())) formatted++;
  assert.ok(formatted > 40, `${formatted} of 200`);
});

test('LANG-082 --plan shows resolved names and normalised quantities, not the text as it was written', () => {
  const written = `GOAL x:
  set 'FILL_LIMIT' '0,50  bar'
  MAX 'ai01' 5,0bar
  WAIT 1500ms
  SET [bottle valve] 'on'
  nc-sensor ≥ 1 V | WAIT 'filled'
`;
  const { program } = loadScenario(written, 'plan.oql');
  assert.equal(renderCommands(planOf(program).blocks[0]!.commands), [
    'variable FILL_LIMIT 0.5 bar',
    'bound nc-sensor high 5 bar',
    'wait 1500 ms',
    "actuate valve-1 'on'",
    "wait-until nc-sensor >= 1 V 'filled'",
  ]);
});

test.run();
