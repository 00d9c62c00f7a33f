import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as assert from 'uvu/assert';
import { suite } from '../../test-kit/suite.ts';
import { loadScenario } from '../load.ts';
import { type FileLoaderOptions, fileLoader } from './file-loader.ts';

const test = suite('INCLUDE from files');
let root = '';

const put = (name: string, text: string): string => {
  const file = path.join(root, name);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, text);
  return file;
};
const macro = (name: string, log: string): string => `MACRO ${name}:\n  LOG '${log}'\n`;
const goal = (include: string): string => `INCLUDE '${include}'\nGOAL x:\n  CALL m\n  CHECK AI01 <= 5 V\n`;

test.before.each(() => {
  root = mkdtempSync(path.join(tmpdir(), 'svc-include-'));
});
test.after.each(() => rmSync(root, { recursive: true, force: true }));

function load(file: string, source: string, options: FileLoaderOptions) {
  const { program, diagnostics } = loadScenario(source, file, { loader: fileLoader(options) });
  const call = program.blocks[0]?.instructions[0];
  const inner = call?.op === 'call' ? call.body[0] : undefined;
  return {
    codes: diagnostics.filter((one) => one.severity !== 'info').map((one) => one.code),
    messages: diagnostics.map((one) => one.message),
    log: inner?.op === 'log' ? inner.message : undefined,
    from: inner?.pos.file,
  };
}

test('LANG-050 beside the including file comes before the library, the library before its lib/', () => {
  const top = put('top/a.oql', '');
  const options = { topDir: path.join(root, 'top'), libraryRoot: path.join(root, 'library') };
  put('library/lib/m.oql', macro('m', 'lib'));
  assert.is(load(top, goal('m.oql'), options).log, 'lib');
  put('library/m.oql', macro('m', 'library'));
  assert.is(load(top, goal('m.oql'), options).log, 'library');
  const beside = put('top/m.oql', macro('m', 'beside'));
  const found = load(top, goal('m.oql'), options);
  assert.equal([found.log, found.from], ['beside', beside]);
});

test('LANG-050 a pipe is not read: the reader would wait for its writer', () => {
  const top = put('top/a.oql', '');
  const pipe = path.join(root, 'top/m.oql');
  execFileSync('mkfifo', [pipe]);
  const writer = spawn('sh', ['-c', 'printf %s "$1" > "$0"', pipe, macro('m', 'from a pipe')]);
  try {
    const { codes, log } = load(top, goal('m.oql'), { topDir: path.join(root, 'top') });
    assert.equal([codes, log], [['SCN204'], undefined]);
  } finally {
    writer.kill();
  }
});

test('LANG-050 a path or a link that leads out is refused, also when it exists', () => {
  const top = put('top/a.oql', '');
  put('secret/m.oql', macro('m', 'secret'));
  symlinkSync(path.join(root, 'secret/m.oql'), path.join(root, 'top/link.oql'));
  const options = { topDir: path.join(root, 'top') };
  for (const include of ['../secret/m.oql', path.join(root, 'secret/m.oql'), 'link.oql']) {
    const { codes, log } = load(top, goal(include), options);
    assert.equal([codes, log], [['SCN206'], undefined], include);
  }
});

test('LANG-050 a scenario from a URL sees the library only', () => {
  put('library/m.oql', macro('m', 'library'));
  put('cwd/n.oql', macro('m', 'cwd'));
  const options = { libraryRoot: path.join(root, 'library') };
  assert.is(load('https://rig.example/a.oql', goal('m.oql'), options).log, 'library');
  assert.equal(load('https://rig.example/a.oql', goal('../cwd/n.oql'), options).codes, ['SCN206']);
});

test('LANG-050 a cycle is named whole; a file included twice is read once', () => {
  const top = put('a.oql', goal('b.oql'));
  put('b.oql', `INCLUDE 'c.oql'\n${macro('m', 'b')}`);
  put('c.oql', "INCLUDE 'b.oql'\nMACRO other:\n  LOG 'c'\n");
  const cyclic = load(top, goal('b.oql'), { topDir: root });
  assert.equal(cyclic.codes, ['SCN205']);
  assert.ok(
    cyclic.messages.some((text) => text.includes('b.oql -> c.oql -> b.oql')),
    cyclic.messages.join('\n'),
  );
  put('c.oql', "MACRO other:\n  LOG 'c'\n");
  assert.equal(load(top, `INCLUDE 'c.oql'\n${goal('b.oql')}`, { topDir: root }).codes, []);
});

test('LANG-050 what is not there names the places that were looked at', () => {
  const { codes, messages } = load(put('a.oql', ''), goal('no.oql'), {
    topDir: root,
    libraryRoot: path.join(root, 'library'),
  });
  assert.equal(codes, ['SCN204']);
  assert.match(messages[0]!, `${root}/no.oql, ${root}/library/no.oql, ${root}/library/lib/no.oql`);
});

test.run();
