import * as assert from 'uvu/assert';
import { suite } from '../../test-kit/suite.ts';
import { scenarioText } from './payload.ts';

const payload = suite('payload of a scenario URL');
const read = (body: string, type = 'text/plain') => {
  const found = scenarioText(Buffer.from(body), type);
  return 'bytes' in found ? Buffer.from(found.bytes).toString() : { refused: found.refused };
};
const refused = (body: string, type?: string) => {
  const found = read(body, type);
  return typeof found === 'string' ? '' : found.refused;
};

payload('raw text is taken as it is', () => {
  assert.is(read('GOAL:\n  LOG x'), 'GOAL:\n  LOG x');
});

payload('the first non-blank string of code, dsl, source, content is taken', () => {
  assert.is(read('{"content":"d","source":"c","dsl":"b","code":" "}'), 'b');
  assert.is(read('{"code":1,"content":"d"}', 'application/json'), 'd');
});

payload('then the same keys in scenario', () => {
  assert.is(read('{"title":"t","scenario":{"dsl":"x"}}', 'application/json; charset=utf-8'), 'x');
  assert.is(read('{"content":"outer","scenario":{"code":"inner"}}'), 'outer');
});

payload('JSON without a text names the keys', () => {
  assert.match(refused('{"ok":true}', 'application/json'), 'code, dsl, source, content');
  assert.match(refused('[1]', 'application/json'), 'not a JSON object');
});

payload('a text that only begins like JSON is raw', () => {
  assert.is(read('{ not json'), '{ not json');
});

payload('LANG-007 HTML is refused by its type, its start and inside JSON', () => {
  for (const [body, type] of [
    ['GOAL:', 'text/html; charset=utf-8'],
    ['\uFEFF\n <!DOCTYPE HTML><p>', 'text/plain'],
    ['<html lang="en">', 'application/octet-stream'],
    ['{"code":"<html>"}', 'application/json'],
  ] as const)
    assert.match(refused(body, type), 'HTML page');
});

payload('an empty answer is refused', () => {
  assert.match(refused(' \n'), 'empty');
});

payload.run();
