import {
  chmodSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { suite } from '../../test-kit/suite.ts';
import { writeAtomically } from './atomic-write.ts';

const atomic = suite('atomic write');
const directory = mkdtempSync(join(tmpdir(), 'svcctl-atomic-'));
atomic.after(() => rmSync(directory, { recursive: true, force: true }));

atomic('a file is replaced as a whole, keeps its mode, and nothing else is left', () => {
  const path = join(directory, 'a.oql');
  writeFileSync(path, 'old');
  chmodSync(path, 0o666);
  const before = statSync(path).ino;
  writeAtomically(path, 'new');
  assert.is(readFileSync(path, 'utf8'), 'new');
  assert.is(statSync(path).mode & 0o777, 0o666);
  assert.is.not(statSync(path).ino, before);
  assert.equal(readdirSync(directory), ['a.oql']);
});

atomic('a link keeps leading to the file, a device stays a device', () => {
  const link = join(directory, 'link.oql');
  symlinkSync('a.oql', link);
  writeAtomically(link, 'through');
  assert.ok(lstatSync(link).isSymbolicLink());
  assert.is(readFileSync(join(directory, 'a.oql'), 'utf8'), 'through');
  writeAtomically('/dev/null', 'x');
  assert.ok(statSync('/dev/null').isCharacterDevice());
});

atomic('what cannot be written is told with its path', () => {
  try {
    writeAtomically(join(directory, 'none', 'a'), 'x');
    assert.unreachable();
  } catch (error) {
    assert.match((error as Error).message, /cannot write .*none\/a: no such file/);
    assert.is((error as { code?: string }).code, 'output_failed');
  }
});

atomic.run();
