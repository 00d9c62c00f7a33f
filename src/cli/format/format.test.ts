import { readFileSync } from 'node:fs';
import * as assert from 'uvu/assert';
import { SvcctlProcess } from '../../test-kit/cli/svcctl-process.ts';
import { suite } from '../../test-kit/suite.ts';

const format = suite('svcctl format');
const svcctl = new SvcctlProcess();
format.before(() => svcctl.build());
format.after(() => svcctl.dispose());

const LOOSE = "goal:\n      set name 'g'   # why\n      wait 2000\n      check AI01 <= 1 V\n";

format('LANG-062 prints the canonical form, which is then left alone', async () => {
  const printed = await svcctl.run(['format', svcctl.write('loose.oql', LOOSE)]);
  assert.is(printed.code, 0);
  assert.match(printed.stdout, "GOAL:\n  SET NAME 'g'");
  assert.match(printed.stdout, '# why');
  assert.is(readFileSync(svcctl.path('loose.oql'), 'utf8'), LOOSE);
  const again = await svcctl.run(['format', '-'], { input: printed.stdout });
  assert.is(again.stdout, printed.stdout);
});

format(
  'LANG-062 macros of included files are known, so that a text with INCLUDE can be formatted',
  async () => {
    svcctl.write('m.oql', 'MACRO m:\n  WAIT 1s\n');
    const name = svcctl.write(
      'top.oql',
      "INCLUDE 'm.oql'\nGOAL:\n  SET NAME 'g'\n  CALL m\n  CHECK AI01 <= 1 V\n",
    );
    const printed = await svcctl.run(['format', name]);
    assert.is(printed.code, 0, printed.stderr);
    assert.match(printed.stdout, "INCLUDE 'm.oql'\n\nGOAL:");
  },
);

format('LANG-062 --check exits 1 on a difference, -w mends it', async () => {
  const name = svcctl.write('check.oql', LOOSE);
  const before = await svcctl.run(['format', '--check', name]);
  assert.is(before.code, 1);
  assert.match(before.stderr, 'svcctl format -w check.oql');
  assert.is((await svcctl.run(['format', '-w', name])).code, 0);
  assert.is((await svcctl.run(['format', '--check', name])).code, 0);
});

format('LANG-062 a text with errors is refused, exit 2, and not written', async () => {
  const bad = "goal:\n   set name 'g'\n   wiat 2\n";
  const name = svcctl.write('bad.oql', bad);
  const { code, stderr, stdout } = await svcctl.run(['format', '-w', name]);
  assert.is(code, 2);
  assert.is(stdout, '');
  assert.match(stderr, 'error[SCN120]');
  assert.match(stderr, 'bad.oql is unchanged: 1 error');
  assert.is(readFileSync(svcctl.path(name), 'utf8'), bad);
});

format('the worst file decides', async () => {
  const good = svcctl.write('good.oql', "GOAL:\n  SET NAME 'g'\n  CHECK AI01 <= 1 V\n");
  const loose = svcctl.write('loose.oql', LOOSE);
  assert.is((await svcctl.run(['format', '--check', loose, good])).code, 1);
});

format.run();
