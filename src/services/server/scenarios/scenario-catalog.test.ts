import { mkdirSync, mkdtempSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { systemClock } from '../../../lib/clock/clock.ts';
import { suite } from '../../../test-kit/suite.ts';
import { loadConfiguredRig } from '../configured-rig.ts';
import { ScenarioCatalog } from './scenario-catalog.ts';
import { scenarioView } from './scenario-view.ts';

const test = suite('catalog of scenarios');

const GOOD = 'GOAL: one\n  WAIT 10\n';
const BAD = 'GOAL: one\n  WAIT x!\n';

/** A folder of old files, and a catalog of which it is counted what it reads. */
function catalogued(count: number) {
  const folder = mkdtempSync(join(tmpdir(), 'catalog-'));
  mkdirSync(join(folder, 'lib'));
  const write = (name: string, text: string) => {
    const path = join(folder, name);
    writeFileSync(path, text);
    utimesSync(path, 1000, 1000);
    return path;
  };
  for (let n = 0; n < count; n++) write(`s${n}.oql`, GOOD);
  const read: string[] = [];
  let yaml = '/dev/null';
  const catalog = new ScenarioCatalog({
    folder,
    clock: systemClock,
    rig: () => loadConfiguredRig({ SVC_CONFIG_PATH: yaml }, folder),
    view: (found, ...others) => {
      read.push(found.id);
      return scenarioView(found, ...others);
    },
  });
  const list = async () => {
    read.length = 0;
    const views = await catalog.list();
    return { views, read: [...read] };
  };
  const configure = (text: string) => {
    yaml = join(folder, 'svc.yaml');
    writeFileSync(yaml, text);
  };
  return { folder, write, list, configure, end: () => rmSync(folder, { recursive: true, force: true }) };
}

test('SVC-060 a list reads only the scenarios whose files have changed', async () => {
  const { list, write, folder, end } = catalogued(50);
  try {
    const first = await list();
    assert.equal([first.views.length, first.read.length], [50, 50]);
    assert.ok(first.views.every(({ valid }) => valid));
    assert.equal((await list()).read, []);
    write('s7.oql', BAD);
    write('new.oql', GOOD);
    const changed = await list();
    assert.equal(changed.read, ['new', 's7']);
    assert.equal(
      changed.views.filter(({ valid }) => !valid).map(({ id }) => id),
      ['s7'],
    );
    // Another file of the same size and time of change.
    write('s8.part', BAD);
    renameSync(join(folder, 's8.part'), join(folder, 's8.oql'));
    assert.equal((await list()).read, ['s8']);
    rmSync(join(folder, 's9.oql'));
    const fewer = await list();
    assert.equal([fewer.read, fewer.views.length], [[], 50]);
  } finally {
    end();
  }
});

test('SVC-060 a change of an included file, also one that appears, is seen', async () => {
  const { list, write, end } = catalogued(3);
  try {
    write('with.oql', "VERSION: 4\nINCLUDE 'macros.oql'\nGOAL:\n  SET NAME 'one'\n  WAIT 10\n");
    const missing = await list();
    assert.is(missing.views.find(({ id }) => id === 'with')?.valid, false);
    assert.equal((await list()).read, []);
    write('lib/macros.oql', 'VERSION: 4\nMACRO pause:\n  WAIT 10\n');
    const there = await list();
    assert.equal(there.read, ['with']);
    assert.is(there.views.find(({ id }) => id === 'with')?.fault, null);
    write('lib/macros.oql', 'VERSION: 4\nMACRO pause:\n  WAIT 20\n');
    assert.equal((await list()).read, ['with']);
  } finally {
    end();
  }
});

test('SVC-060 a file that was written just now is read again, and all are when the configuration changes', async () => {
  const { list, configure, folder, end } = catalogued(3);
  try {
    await list();
    writeFileSync(join(folder, 's1.oql'), GOOD);
    const soon = new Date(Date.now() + 60_000);
    utimesSync(join(folder, 's1.oql'), soon, soon);
    assert.equal((await list()).read, ['s1']);
    assert.equal((await list()).read, ['s1']);
    configure('aliases: { inlet: valve-1 }\n');
    assert.is((await list()).read.length, 3);
  } finally {
    end();
  }
});

test('SVC-060 lists that are asked for at once share one reading', async () => {
  const { list, end } = catalogued(20);
  try {
    const lists = await Promise.all(Array.from({ length: 10 }, list));
    assert.ok(lists.every(({ views }) => views.length === 20));
    assert.is((await list()).read.length, 0);
  } finally {
    end();
  }
});

test.run();
