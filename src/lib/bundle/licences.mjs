// The notices that the licences of bundled packages ask to travel with them.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const LICENCE_FILE = /^(licen[cs]e|copying)(-[\w.]+)?(\.(md|txt))?$/i;
const PACKAGE_FOLDER = /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//;

/** Licences that may not be linked into an MIT program that is shipped. */
const COPYLEFT = /\b(A|L)?GPL\b/;

/**
 * @param {string} root folder that the metafile's paths are relative to
 * @param {import('esbuild').Metafile} metafile
 * @returns {string} name, version, licence and licence text of every package that went into the bundles
 */
export function licenceNotices(root, metafile) {
  const folders = new Set(
    Object.keys(metafile.inputs)
      .map((input) => PACKAGE_FOLDER.exec(input)?.[1])
      .filter((folder) => folder !== undefined),
  );
  return [...folders]
    .sort()
    .map((folder) => noticeOf(join(root, folder)))
    .join(`\n${'-'.repeat(80)}\n\n`);
}

function noticeOf(folder) {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  if (COPYLEFT.test(String(license)) && !String(license).includes('MIT')) {
    throw new Error(
      `${name} ${version} is under ${license} and may not be bundled: keep it a program beside ours`,
    );
  }
  const texts = readdirSync(folder)
    .filter((file) => LICENCE_FILE.test(file))
    .map((file) => readFileSync(join(folder, file), 'utf8').trim());
  return `${name} ${version} (${license})\n\n${texts.join('\n\n')}\n`;
}
