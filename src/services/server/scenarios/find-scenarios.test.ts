import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { suite } from '../../../test-kit/suite.ts';
import { findScenario, findScenarios } from './find-scenarios.ts';

const test = suite('list of scenarios');
const folder = mkdtempSync(join(tmpdir(), 'find-scenarios-'));
test.after(() => rmSync(folder, { recursive: true, force: true }));

test.before(() => {
  for (const path of ['masks', 'lib', 'masks/lib']) mkdirSync(join(folder, path));
  for (const name of [
    'b.oql',
    'a.cql',
    'masks/b.oql',
    'masks/lib/c.oql',
    'lib/m.oql',
    'same.oql',
    'same.cql',
    'x.txt',
  ])
    writeFileSync(join(folder, name), '');
  symlinkSync(join(folder, 'nowhere'), join(folder, 'gone.oql'));
  symlinkSync(join(folder, 'b.oql'), join(folder, 'link.oql'));
});

test('ids are paths below the folder without extension, sorted; the library of macros is not among them', () => {
  assert.equal(
    findScenarios(folder).map(({ id }) => id),
    ['a', 'b', 'link', 'masks/b', 'masks/lib/c', 'same.cql', 'same.oql'],
  );
});

test('SVC-046 an id is looked up as it stands', () => {
  assert.is(findScenario(folder, 'masks/b').path, join(folder, 'masks/b.oql'));
  for (const id of ['./b', 'masks/../b', join(folder, 'b'), 'b.oql', 'b\0', 'B', '', '__proto__', 'same'])
    assert.throws(() => findScenario(folder, id), /no scenario .*; GET \/api\/scenarios lists them/, id);
});

test('a folder that is not there is reported with the variable that names it', () => {
  assert.throws(
    () => findScenarios(join(folder, 'none')),
    /none cannot be listed: no such file.*set SVC_SCENARIO_DIR/,
  );
});

test.run();
