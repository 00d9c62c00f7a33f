import * as assert from 'uvu/assert';
import { suite } from '../../../test-kit/suite.ts';
import { logLineOf } from './log-line.ts';

const test = suite('a line of a log on the page');

test('time, level, sentence and what stands beside it', () => {
  const line =
    '{"level":"warn","time":"2025-01-15T10:00:00.000Z","service":"svc-bridge","pid":7,"msg":"slow","status":503,"holder":{"pid":9}}';
  assert.equal(logLineOf(line), {
    at: Date.parse('2025-01-15T10:00:00.000Z'),
    level: 'warn',
    text: 'slow',
    fields: 'status: 503 · holder: {"pid":9}',
  });
});

test('a line of another kind is shown as it is, whatever is in it', () => {
  for (const line of ['Error: boom', '{"level":"info"', '{"time":1}', '{}', 'null', '[1]', '']) {
    const { at, text, fields } = logLineOf(line);
    assert.equal([at, text, fields], [undefined, line, '']);
  }
  assert.is(logLineOf('{"msg":"x","time":"never"}').at, undefined);
});

test.run();
