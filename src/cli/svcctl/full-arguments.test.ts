import * as assert from 'uvu/assert';
import { test } from '../../lib/testing/suite.ts';
import { fullArguments } from './full-arguments.ts';

const commands = ['run', 'cmd', 'validate', 'validate-dir'];
const full = (...args: string[]) => fullArguments(args, commands, '/nonexistent').join(' ');

test('a file or an option in front means run', () => {
  assert.is(full('a.oql', '--json'), 'run a.oql --json');
  assert.is(full('--mode', 'execute', 'a.oql'), 'run --mode execute a.oql');
  assert.is(full('http://host/a'), 'run http://host/a');
});

test('commands, help and version stay', () => {
  for (const args of ['validate a', 'run a', '--help', '--version', 'help run'])
    assert.is(full(...args.split(' ')), args);
});

test('--validate-dir is the old form of validate-dir', () => {
  assert.is(full('--validate-dir', 'd'), 'validate-dir d');
  assert.is(full('--validate-dir=a=b', '--json'), 'validate-dir a=b --json');
  assert.is(full('--strict', '--validate-dir', 'd'), 'validate-dir --strict d');
});

test('a word near a command is no file that happens to be missing', () => {
  assert.throws(() => full('valdate', 'x'), /did you mean svcctl validate/);
  assert.is(full('leaktest'), 'run leaktest');
});

test.run();
