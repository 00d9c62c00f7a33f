import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { packExtension } from '../../editors/vscode/package-extension.ts';
import { suite } from '../../src/test-kit/suite.ts';

const test = suite('the extension of VS Code');
const folder = mkdtempSync(join(tmpdir(), 'extension-'));
const file = join(folder, 'svc-rig.vsix');
test.before(async () => {
  writeFileSync(file, await packExtension(process.cwd(), '1.2.3'));
});
test.after(() => rmSync(folder, { recursive: true, force: true }));

/** Files of the package by name, read by Python's zipfile, which checks each sum. */
function unpacked(): Map<string, string> {
  const script =
    'import sys,json,zipfile; z=zipfile.ZipFile(sys.argv[1]); print(json.dumps({n: z.read(n).decode("utf8") for n in z.namelist()}))';
  const { stdout, stderr, status } = spawnSync('python3', ['-c', script, file], {
    encoding: 'utf8',
    maxBuffer: 1 << 26,
  });
  assert.is(status, 0, stderr);
  return new Map(Object.entries(JSON.parse(stdout) as Record<string, string>));
}

test('the package has both manifests, what they name, and the version of the project', () => {
  const files = unpacked();
  const manifest = files.get('extension.vsixmanifest')!;
  assert.match(manifest, '<Identity Language="en-US" Id="svc-rig" Version="1.2.3" Publisher="svc-rig"/>');
  for (const [, path] of manifest.matchAll(/Path="([^"]+)"/g)) assert.ok(files.has(path!), path);
  const types = files.get('[Content_Types].xml')!;
  for (const name of files.keys())
    if (!name.startsWith('[')) assert.match(types, `Extension=".${name.split('.').at(-1)}"`);
  const { version, main, contributes } = JSON.parse(files.get('extension/package.json')!);
  assert.is(version, '1.2.3');
  assert.ok(files.has(`extension/${main}`));
  assert.ok(files.has(`extension/${contributes.grammars[0].path}`));
  assert.ok(files.has(`extension/${contributes.languages[0].configuration}`));
  for (const name of files.keys()) if (name.endsWith('.json')) JSON.parse(files.get(name)!);
});

test('the program needs VS Code and Node, nothing else', () => {
  const code = unpacked().get('extension/extension.cjs')!;
  const needed = [...code.matchAll(/\brequire\("([^"]+)"\)/g)].map(([, name]) => name!.replace(/^node:/, ''));
  assert.ok(needed.includes('vscode'));
  assert.equal(
    needed.filter((name) => name !== 'vscode' && !builtinModules.includes(name)),
    [],
  );
});

test('the same sources give the same bytes', async () => {
  assert.ok((await packExtension(process.cwd(), '1.2.3')).equals(readFileSync(file)));
});

test.run();
