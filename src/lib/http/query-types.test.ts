import * as assert from 'uvu/assert';
import { suite } from '../../test-kit/suite.ts';
import { numberText } from './query-types.ts';

const test = suite('numbers in queries and paths');

function refusal(schema: ReturnType<typeof numberText>, text: string): string[] {
  const { error } = schema.safeParse(text);
  return error?.issues.map(({ message }) => message) ?? [];
}

test('a decimal number within its limits is taken', () => {
  for (const [text, value] of [
    ['0', 0],
    ['+1', 1],
    ['-0.5', -0.5],
    ['.5', 0.5],
    ['1.', 1],
    ['1e3', 1000],
  ] as const)
    assert.is(numberText().parse(text), value);
  assert.is(numberText({ min: 1, max: 10, integer: true }).parse('10'), 10);
});

test('whatever else is refused once, with the sentence that says what would be right', () => {
  for (const text of [
    '',
    ' ',
    '1 ',
    'ten',
    '0x10',
    'NaN',
    'Infinity',
    '1e999',
    '1,5',
    '１',
    '0',
    '11',
    '1.5',
  ])
    assert.equal(
      refusal(numberText({ min: 1, max: 10, integer: true }), text),
      ['must be a whole number from 1 to 10'],
      text,
    );
  assert.equal(refusal(numberText({ min: 0, max: 0.5 }), '0.6'), ['must be a number from 0 to 0.5']);
  assert.equal(refusal(numberText({ min: 0 }), '-1'), ['must be a number, 0 or more']);
  assert.equal(refusal(numberText({ max: 3, integer: true }), '4'), ['must be a whole number, 3 or less']);
  assert.equal(refusal(numberText(), '1e999'), ['must be a number']);
});

test.run();
