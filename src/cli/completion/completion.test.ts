import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { suite } from '../../test-kit/suite.ts';
import { processIo } from '../io/io.ts';
import { commandLine } from '../svcctl/command-line.ts';
import { completionScript } from './script.ts';

const completion = suite('shell completion');
const directory = mkdtempSync(join(tmpdir(), 'svcctl-completion-'));
const program = commandLine(processIo(), () => {});
completion.before(() => {
  mkdirSync(join(directory, 'sub'));
  for (const name of ['a b.oql', 'c.cql', 'd.txt', 'e.yaml']) writeFileSync(join(directory, name), '');
});
completion.after(() => rmSync(directory, { recursive: true }));

/** What bash offers for the last of the words. */
const offers = (...words: string[]): string[] => offersOf('svcctl', ...words);

function offersOf(command: string, ...words: string[]): string[] {
  // compopt works only while bash itself completes.
  const script = `${completionScript('bash', program)}
compopt() { :; }
COMP_WORDS=(${command} "$@"); COMP_CWORD=$#; _${command.replaceAll('-', '_')}; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const { stdout, stderr, status } = spawnSync('bash', ['-c', script, 'bash', ...words], {
    cwd: directory,
    encoding: 'utf8',
  });
  assert.is(status, 0, stderr);
  assert.is(stderr, '');
  return stdout
    .split('\n')
    .filter((line) => line !== '')
    .sort();
}

completion('the first word is a command or a scenario file', () => {
  assert.equal(offers(''), [
    'a b.oql',
    'adc-confirm',
    'bench',
    'c.cql',
    'calibrate',
    'calibration',
    'cmd',
    'completion',
    'config',
    'detect',
    'devices',
    'doctor',
    'e.yaml',
    'explain',
    'follow',
    'format',
    'hold',
    'identify',
    'lease',
    'lsp',
    'profile',
    'report',
    'run',
    'runs',
    'services',
    'show',
    'status',
    'stop',
    'sub',
    'update',
    'validate',
    'validate-dir',
    'verify',
  ]);
  assert.equal(offers('va'), ['validate', 'validate-dir']);
});

completion('options of the command, and those of run without one', () => {
  assert.equal(offers('validate', '--st'), ['--strict']);
  assert.equal(offers('c.cql', '--fi'), ['--firmware-url']);
  assert.ok(!offers('format', '-').includes('--mode'));
});

completion('values: words, files, directories', () => {
  assert.equal(offers('run', '--mode', 'd'), ['dry-run']);
  assert.equal(offers('run', '--mode', '=', 'ex'), ['execute']);
  assert.equal(offers('validate', '--as', ''), ['2', '3', '4']);
  assert.equal(offers('run', '--library', ''), ['sub']);
  assert.equal(offers('validate-dir', ''), ['sub']);
  assert.ok(offers('run', '--junit', '').includes('d.txt'));
  assert.equal(offers('validate', ''), ['a b.oql', 'c.cql', 'sub']);
  assert.equal(offers('run', 'c.cql', ''), ['a b.oql', 'c.cql', 'e.yaml', 'sub']);
  assert.equal(offers('run', '--record', ''), ['sub']);
  assert.equal(offers('completion', ''), ['bash', 'fish', 'zsh']);
  assert.equal(offers('profile', ''), ['stack', 'standalone']);
  assert.equal(offers('services', '--j'), ['--json']);
  assert.equal(offers('lease', ''), ['release', 'renew', 'show', 'take']);
  assert.equal(offers('adc-confirm', '--state-dir', ''), ['sub']);
  assert.equal(offers('bench', ''), ['devices', 'fault', 'knobs', 'reset', 'step', 'trace']);
});

completion('the programs beside svcctl complete their options and values', () => {
  const scenario = ['svc-scenario-sync', 'svc-scenario-migrate'] as const;
  assert.equal(offersOf(scenario[0], '--i'), ['--import']);
  assert.equal(offersOf(scenario[0], '--import', '--dir', ''), ['sub']);
  assert.ok(offersOf(scenario[0], '--out', '').includes('d.txt'));
  assert.equal(offersOf(scenario[1], '--write-method', '=', 'P'), ['PATCH', 'POST', 'PUT']);
  for (const shell of ['zsh', 'fish'] as const)
    for (const name of scenario)
      assert.ok(completionScript(shell, program).includes(name), `${shell}: ${name}`);
});

completion('zsh and fish name every command and option', () => {
  for (const shell of ['zsh', 'fish'] as const) {
    const script = completionScript(shell, program);
    for (const command of program.commands) {
      assert.ok(script.includes(command.name()), `${shell}: ${command.name()}`);
      for (const { long, hidden } of command.options)
        if (long && !hidden)
          assert.ok(script.includes(shell === 'fish' ? `-l ${long.slice(2)} ` : long), `${shell}: ${long}`);
    }
  }
});

completion.run();
