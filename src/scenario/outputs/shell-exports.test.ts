import { execFileSync } from 'node:child_process';
import * as assert from 'uvu/assert';
import { test } from '../../test-kit/suite.ts';
import { shellExports } from './shell-exports.ts';

test('LANG-060 a shell reads back exactly the exported values and runs nothing', () => {
  const values = {
    PLAIN: '12.5',
    QUOTE: `it's "quoted"`,
    COMMAND: '$(touch /tmp/never); `id` && x | y > z',
    LINES: 'one\ntwo\\n',
    ODD: "'; exit 3; '",
    EMPTY: '',
    UNICODE: 'Zawór ≥ 5',
  };
  const names = Object.keys(values);
  const script = `${shellExports(values)}printf '%s\\0' ${names.map((name) => `"$${name}"`).join(' ')}`;
  const read = execFileSync('sh', ['-euc', script], { encoding: 'utf8' }).split('\0').slice(0, -1);
  assert.equal(read, Object.values(values));
});

test('LANG-060 one line per export in their order', () => {
  assert.is(shellExports({ B: '1', A: "o'k" }), "B='1'\nA='o'\\''k'\n");
});

test.run();
