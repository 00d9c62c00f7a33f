import * as assert from 'uvu/assert';
import { suite } from '../../test-kit/suite.ts';
import { readSuite } from './suite-file.ts';

const test = suite('suite.yaml');

/** A text, and what each fault must name: the place first, then value and remedy. */
const FAULTY: readonly (readonly [text: string, ...faults: string[]])[] = [
  ['', 's.yaml:1:1: the suite is empty'],
  ['[]', 's.yaml:1:1: the suite is []: it must be a map'],
  ['scenarios: []', 's.yaml:1:12: scenarios is empty: name at least one'],
  ['name: x\n', 's.yaml:1:1: scenarios is missing'],
  [
    'scenarios:\n  - a.oql\n  - scenario: b\n    varables: {}\n',
    's.yaml:4:5: unknown key "varables"; did you mean "variables"?',
  ],
  [
    'scenarios: [a]\nzzz: 3\n',
    's.yaml:2:1: unknown key "zzz"; the keys here are name, stop_on_fail, scenarios',
  ],
  ['scenarios:\n - name: x\n', 's.yaml:2:4: scenarios[0].scenario is missing'],
  ['scenarios: [5]', 's.yaml:1:13: scenarios[0] is 5'],
  ['scenarios: a', 's.yaml:1:12: scenarios is "a": it must be a list'],
  [
    'scenarios: [a]\nstop_on_fail: "yes"\nnme: 3\n',
    's.yaml:2:15: stop_on_fail is "yes"',
    's.yaml:3:1: unknown key "nme"; did you mean "name"?',
  ],
  [
    'scenarios:\n - scenario: a\n   variables: {1x: 2, y: , z: [1], w: .inf}\n',
    's.yaml:3:16: scenarios[0].variables.1x is not a name of a variable',
    's.yaml:3:26: scenarios[0].variables.y is missing',
    's.yaml:3:31: scenarios[0].variables.z is [1]',
    's.yaml:3:39: scenarios[0].variables.w',
  ],
  ['scenarios: [a]\nscenarios: [b]\n', 's.yaml:2:1: Map keys must be unique'],
  ['scenarios: [a]\n---\nscenarios: [b]\n', 's.yaml:2:1: Source contains multiple documents; keep one'],
  ['scenarios: [*x]', 's.yaml: Unresolved alias'],
  ['.nan', 's.yaml:1:1: the suite is NaN: it must be a map'],
  [
    'scenarios:\n - scenario: a\n   variables: {w: 1e999, v: .nan}\n',
    's.yaml:3:19: scenarios[0].variables.w is Infinity: it must be',
    's.yaml:3:29: scenarios[0].variables.v is NaN: it must be',
  ],
  ['name: "a\\u202eb"\nscenarios: [a]', 's.yaml:1:7: name is "a\u202eb": it must not turn the direction'],
  ['scenarios: ["a\\nb"]', 's.yaml:1:13: scenarios[0].scenario is "a\\nb": it must stand on one line'],
];

test('LANG-081 each fault of a suite has its line and column, the value and the remedy', () => {
  for (const [text, ...faults] of FAULTY) {
    let message = 'accepted';
    try {
      readSuite(text, 's.yaml');
    } catch (thrown) {
      message = (thrown as Error).message;
    }
    const lines = message.split('\n');
    assert.is(lines.length, faults.length, `${text}: ${message}`);
    for (const [index, fault] of faults.entries())
      assert.ok(lines[index]?.startsWith(fault), `${text}: ${lines[index]}, not ${fault}`);
  }
});

test('LANG-081 variables are texts as they were written, and entries may be bare paths', () => {
  const text =
    'name: S\nscenarios:\n  - a.oql\n  - {scenario: b, name: n, variables: {A: 00123, B: 1.50, C: 15 mbar, D: true, E: no}}\n';
  assert.equal(readSuite(text, 's.yaml'), {
    name: 'S',
    stop_on_fail: false,
    scenarios: [
      { scenario: 'a.oql', variables: {}, place: 's.yaml:3:5' },
      {
        scenario: 'b',
        name: 'n',
        variables: { A: '00123', B: '1.50', C: '15 mbar', D: 'true', E: 'no' },
        place: 's.yaml:4:5',
      },
    ],
  });
});

test.run();
