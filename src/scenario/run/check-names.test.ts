import * as assert from 'uvu/assert';
import { suite } from '../../test-kit/suite.ts';
import type { RunEvent } from '../events/event.ts';
import { Interpreter } from '../interpreter.ts';
import { measurementsOf } from '../records/measurements.ts';
import { textWithoutNumbers } from './check-names.ts';

const test = suite('names of checks');

async function namesOf(...lines: string[]): Promise<(string | undefined)[]> {
  const events: RunEvent[] = [];
  const text = `SCENARIO: Names\nGOAL:\n${lines.map((line) => `  ${line}\n`).join('')}`;
  await new Interpreter({ onEvent: (event) => events.push(event), sensors: { AI01: 0.5 } }).run(
    text,
    'n.oql',
  );
  return events.flatMap((event) => (event.type === 'check' ? [event.name] : []));
}

test('REC-002 the name is the text without its numbers; names of sensors and valves keep theirs', () => {
  for (const [text, name] of [
    ['CHECK AI01 >= 0.5 V', 'CHECK AI01 >= # V'],
    ['CHECK AI01 >= -12,5 mbar', 'CHECK AI01 >= # mbar'],
    ["CHECK valve-1 = '1'", "CHECK valve-1 = '#'"],
    ['MIN  AI01 $LIMIT_2', 'MIN AI01 $LIMIT_2'],
    ['CHECK AI01 >=1.5e V', 'CHECK AI01 >=#e V'],
  ])
    assert.is(textWithoutNumbers(text ?? ''), name, text);
});

test('REC-002 alike checks of a block are distinguished by their order in the text, also when one is not run', async () => {
  const first = 'CHECK AI01 >= # V';
  assert.equal(await namesOf('CHECK AI01 >= 0.1 V', 'CHECK AI01 >= 0.2 V'), [first, `${first} (2)`]);
  const skipped = await namesOf('IF AI01 > 5 V THEN', '  CHECK AI01 >= 0.1 V', 'END', 'CHECK AI01 >= 0.2 V');
  assert.is(skipped.at(-1), `${first} (2)`);
});

test('REC-002 a macro that is called twice has checks and bounds of its own for each call', async () => {
  const macro = 'MACRO leak:\n  MAX AI01 5 V\n  GET AI01\n  CHECK AI01 >= $1 V\n';
  const events: RunEvent[] = [];
  const text = `SCENARIO: Names\n${macro}GOAL:\n  CALL leak 0.1\n  CALL leak 0.2\n`;
  await new Interpreter({ onEvent: (event) => events.push(event), sensors: { AI01: 0.5 } }).run(
    text,
    'n.oql',
  );
  const rows = measurementsOf(events, 'n').map(({ check, low, high }) => [check, low ?? high]);
  assert.equal(rows, [
    ['MAX AI01 # V', 5],
    ['CHECK AI01 >= # V', 0.1],
    ['MAX AI01 # V (2)', 5],
    ['CHECK AI01 >= # V (2)', 0.2],
  ]);
});

test.run();
