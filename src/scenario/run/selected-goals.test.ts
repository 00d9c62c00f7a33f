import * as assert from 'uvu/assert';
import { Registry } from '../../rig/registry/registry.ts';
import type { BridgeTwin } from '../../test-kit/scenario/bridge-twin.ts';
import { eventsOf, goalOf, outcomesOf, withBridge } from '../../test-kit/scenario/run-on.ts';
import { suite } from '../../test-kit/suite.ts';
import { loadScenario } from '../load.ts';
import { performRun } from '../perform-run.ts';
import { selectGoals } from '../program/select-goals.ts';
import type { Result } from './result.ts';

const test = suite('selected goals');

const source = (marks = '') => `GOAL a:
  CHECK AI01 <= 5 V
  GOTO 'c'
GOAL b:${marks}
  CHECK AI01 <= 0.1 V
GOAL c:
  CHECK AI01 <= 5 V
`;

function runGoals(twin: BridgeTwin, text: string, goals?: readonly string[]): Promise<Result> {
  const registry = new Registry();
  const loaded = loadScenario(text, 'test.oql', { registry, rigSeverity: 'error' });
  const selected = { ...loaded, program: selectGoals(loaded.program, goals) };
  return performRun(selected, 'test.oql', { mode: 'execute', registry, firmwareUrl: twin.url });
}

test('LANG-081 a goal named by --goal that a GOTO jumps over is inconclusive, OPTIONAL or not', () =>
  withBridge(async (twin) => {
    for (const marks of ['', '\n  OPTIONAL'])
      for (const goals of [
        ['a', 'b'],
        ['a', 'b', 'c'],
      ]) {
        const result = await runGoals(twin, source(marks), goals);
        const last = goals.length === 3 ? 'c passed' : 'c skipped';
        assert.equal([result.ok, result.outcome], [false, 'inconclusive']);
        assert.equal(outcomesOf(result), ['a passed', 'b inconclusive', last]);
        assert.match(goalOf(result, 'b').message ?? '', /selected by --goal but never entered/);
        assert.is(eventsOf(result, 'block.end').filter(({ name }) => name === 'b').length, 1);
        assert.ok(result.diagnostics.some(({ code, message }) => code === 'SCN416' && /"b"/.test(message)));
      }
  }));

test('LANG-081 without --goal a goal that is jumped over is skipped', () =>
  withBridge(async (twin) => {
    assert.equal(outcomesOf(await runGoals(twin, source())), ['a passed', 'b skipped', 'c passed']);
  }));

test.run();
