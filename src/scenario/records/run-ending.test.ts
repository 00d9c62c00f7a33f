import * as assert from 'uvu/assert';
import { suite } from '../../test-kit/suite.ts';
import { Interpreter } from '../interpreter.ts';
import type { Result } from '../run/result.ts';
import { endingOf, isOfEnding, type RunEnding } from './run-ending.ts';

const test = suite('endings of runs');

const SCENARIOS = {
  'a retry that fails': `SCENARIO: A
GOAL:
  SET NAME 'Leak'
  RETRY 2
  MAX AI01 0.2 V
  SAMPLE AI01 START 10ms
  GET AI01
  WAIT 50ms
  SAMPLE AI01 STOP
  CHECK AI01 >= 2 V
CONFIG close:
  SET valve-1 off
`,
  'a run that passes': "SCENARIO: B\nGOAL:\n  SET NAME 'Leak'\n  SET valve-1 on\n  CHECK AI01 <= 2 V\n",
  'nothing is judged': "SCENARIO: C\nGOAL:\n  SET NAME 'Open'\n  SET valve-1 on\n  SET valve-1 off\n",
};

/** The same times in both. */
const timeless = (ending: RunEnding): unknown =>
  JSON.parse(JSON.stringify(ending, (name, value) => (/^(started_at|ms|took_ms)$/.test(name) ? 0 : value)));

for (const [name, text] of Object.entries(SCENARIOS))
  test(`an ending needs no readings, samples and requests: ${name}`, async () => {
    const run = (keeps?: typeof isOfEnding): Promise<Result> =>
      new Interpreter({ sensors: { AI01: 0.5 }, ...(keeps ? { keeps } : {}) }).run(text, 'e.oql');
    const [all, kept] = [await run(), await run(isOfEnding)];
    assert.ok(kept.events.length < all.events.length);
    assert.ok(kept.events.every(isOfEnding));
    assert.equal(timeless(endingOf(kept, 'x')), timeless(endingOf(all, 'x')));
  });

test.run();
