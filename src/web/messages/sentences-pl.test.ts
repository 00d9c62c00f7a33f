import * as assert from 'uvu/assert';
import type { RunEvent } from '../../scenario/events/event.ts';
import { Interpreter } from '../../scenario/interpreter.ts';
import { suite } from '../../test-kit/suite.ts';
import { translated } from './sentences.ts';
import { sentencesPl } from './sentences-pl.ts';

const test = suite('sentences of programs in Polish');

test('PAGE-006 what the interpreter says of a check without a text of the author is said in Polish', async () => {
  const events: RunEvent[] = [];
  const text =
    "SCENARIO: P\nGOAL:\n  SET NAME 'One'\n  MAX AI01 2 V\n  CHECK 0 <= AI01 <= 4 V\n  CHECK AI01 >= 3 V\n    ERROR 'too low'\n";
  await new Interpreter({ onEvent: (event) => events.push(event), sensors: { AI01: 0.5 } }).run(
    text,
    'p.oql',
  );
  const said = events.flatMap((event) => (event.type === 'check' ? [event.message] : []));
  assert.equal(
    said.map((sentence) => translated(sentence, sentencesPl) ?? sentence),
    ['AI01 w granicach [0, 4] V', 'AI01 w granicach [-∞, 2] V', 'too low', 'AI01 w granicach [-∞, 2] V'],
  );
  assert.is(
    translated('valve-nc is open, expected closed', sentencesPl),
    'valve-nc jest otwarty, oczekiwano: zamknięty',
  );
});

test.run();
