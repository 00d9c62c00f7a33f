import { lstatSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import * as assert from 'uvu/assert';
import { temporaryFolder } from '../../test-kit/end-with-parent.ts';
import { suite } from '../../test-kit/suite.ts';
import { replaceFile } from './replace-file.ts';

const test = suite('replacing a file');

test('a link in the place of the temporary file is not written through', () => {
  const folder = temporaryFolder('replace-');
  const [path, victim] = [join(folder, 'svc.yaml'), join(folder, 'victim')];
  writeFileSync(path, 'old');
  writeFileSync(victim, 'untouched');
  symlinkSync(victim, join(folder, `.svc.yaml.${process.pid}.tmp`));
  replaceFile(path, 'new');
  assert.equal([readFileSync(path, 'utf8'), readFileSync(victim, 'utf8')], ['new', 'untouched']);
  assert.ok(lstatSync(path).isFile());
});

test.run();
