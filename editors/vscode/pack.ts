import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { packExtension } from './package-extension.ts';

/** `npm run pack:vscode [FILE]`: the extension as one file, by default dist/svc-rig.vsix. */
const root = fileURLToPath(new URL('../..', import.meta.url));
const target = resolve(process.argv[2] ?? join(root, 'dist', 'svc-rig.vsix'));
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };

packExtension(root, version).then(
  (archive) => {
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, archive);
    process.stdout.write(`${target}: ${(archive.length / 1024).toFixed(0)} KiB\n`);
  },
  (error: Error) => {
    process.stderr.write(`the extension was not packed: ${error.message}\n`);
    process.exitCode = 1;
  },
);
