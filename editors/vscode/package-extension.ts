import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as esbuild from 'esbuild';
import { licenceNotices } from '../../src/lib/bundle/licences.mjs';
import { ZipWriter } from '../../src/sync/zip.ts';
import { contentTypes, vsixManifest } from './vsix-manifest.ts';

const FOLDER = 'editors/vscode';

/** Files of the extension as they are. */
const FILES = ['README.md', 'language-configuration.json', 'syntaxes/scenario.tmLanguage.json'];

/**
 * The extension as a .vsix: a ZIP archive with two manifests beside it. The same sources give the same bytes.
 * @param root folder of the project
 */
export async function packExtension(root: string, version: string): Promise<Buffer> {
  const { outputFiles, metafile } = await esbuild.build({
    absWorkingDir: root,
    entryPoints: [`${FOLDER}/src/extension.ts`],
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node20',
    minify: true,
    external: ['vscode'],
    legalComments: 'none',
    metafile: true,
    write: false,
    logLevel: 'silent',
  });
  const read = (name: string) => readFileSync(join(root, FOLDER, name), 'utf8');
  const manifest = { ...JSON.parse(read('package.json')), version };
  const zip = new ZipWriter(new Date(0));
  zip.add('[Content_Types].xml', contentTypes());
  zip.add('extension.vsixmanifest', vsixManifest(manifest));
  zip.add('extension/package.json', `${JSON.stringify(manifest, null, 2)}\n`);
  zip.add('extension/extension.cjs', outputFiles[0]!.text);
  zip.add('extension/LICENSE.txt', readFileSync(join(root, 'LICENSE'), 'utf8'));
  zip.add('extension/THIRD-PARTY-LICENCES.txt', licenceNotices(root, metafile));
  for (const name of FILES) zip.add(`extension/${name}`, read(name));
  return zip.finish();
}
