import * as assert from 'uvu/assert';
import { suite } from '../../test-kit/suite.ts';
import { Interpreter } from '../interpreter.ts';
import { loadScenario } from '../load.ts';

const test = suite('nesting');

const nested = (depth: number, open: string, close: string): string =>
  `GOAL:\n  SET NAME 'x'\n${`  ${open}\n`.repeat(depth)}  CHECK AI01 <= 5 V\n${`  ${close}\n`.repeat(depth)}`;

const pairs = [
  ['LOOP 1 TIMES', 'ENDLOOP'],
  ['IF AI01 <= 5 V', 'ENDIF'],
  ['IF_FAIL', 'END'],
  ['REPEAT 1:', 'REPEAT STOP'],
] as const;

for (const [open, close] of pairs)
  test(`LANG-001 2000 blocks within each other are an error, never a crash: ${open}`, async () => {
    const source = nested(2000, open, close);
    const { diagnostics } = loadScenario(source, 'x.oql');
    const [found, ...others] = diagnostics.filter(({ code }) => code === 'SCN004');
    assert.is(others.length, 0);
    assert.is(found?.severity, 'error');
    assert.match(found?.message ?? '', /line 104 .* 100 blocks/);
    const { ok } = await new Interpreter({ mode: 'dry-run', out: () => {} }).run(source, 'x.oql');
    assert.is(ok, false);
  });

test('LANG-001 100 blocks within each other are read', () => {
  const { diagnostics } = loadScenario(nested(100, 'LOOP 1 TIMES', 'ENDLOOP'), 'x.oql');
  assert.equal(
    diagnostics.filter(({ severity }) => severity === 'error'),
    [],
  );
});

test.run();
