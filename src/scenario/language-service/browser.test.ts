import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as esbuild from 'esbuild';
import * as assert from 'uvu/assert';
import { suite } from '../../test-kit/suite.ts';

const test = suite('the language service in a browser');

const FOLDER = fileURLToPath(new URL('.', import.meta.url));

test('no file of the language service needs a module or a global of Node', async () => {
  const files = readdirSync(FOLDER).filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'));
  const result = await esbuild.build({
    stdin: {
      contents: files.map((name) => `export * from './${name}';`).join('\n'),
      resolveDir: FOLDER,
      loader: 'ts',
    },
    bundle: true,
    format: 'esm',
    platform: 'browser',
    write: false,
    logLevel: 'silent',
  });
  const text = result.outputFiles[0]!.text;
  assert.not(/\bBuffer\.|\bprocess\.(?!env\b)/.test(text), 'no global of Node');
  const folder = join('src', 'scenario', 'language-service');
  assert.ok(files.length > 10, `${folder} has its files`);
});

test.run();
