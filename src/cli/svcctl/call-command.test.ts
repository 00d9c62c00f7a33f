import * as assert from 'uvu/assert';
import { suite } from '../../test-kit/suite.ts';
import { fullArguments } from './call-command.ts';

const test = suite('the command that an invocation leaves out');
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

test('LANG-083 a word that is not a file is an unknown command, reported with the nearest one', () => {
  assert.throws(() => full('valdate', 'x'), /^unknown command "valdate"; did you mean "validate"\?$/);
  assert.throws(() => full('comand'), /unknown command "comand"; svcctl --help lists the commands/);
  assert.throws(() => full('GET AI01'), /unknown command "GET AI01"/);
});

test('LANG-083 a path, a name with an extension and a file that exists are run', () => {
  for (const path of ['./stpo', 'dir/stpo', 'stpo.oql', 'C:stpo', '-', '..'])
    assert.is(full(path), `run ${path}`);
  assert.is(fullArguments(['src'], commands, process.cwd()).join(' '), 'run src');
});

test.run();
