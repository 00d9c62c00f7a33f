// Bundles a page for browsers: scripts and styles under names that change with their content, and the document that loads them.
import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { gzipSync } from 'node:zlib';
import * as esbuild from 'esbuild';

/** Chromium and Firefox of Debian 12, and the WebView of an Android tablet that is updated. */
const BROWSERS = ['chrome111', 'firefox115', 'safari16.4'];
/** What is worth to be sent compressed. */
const TEXT = /\.(js|css|html|svg)$/;

/**
 * @param {object} options
 * @param {string} options.root of the project
 * @param {string} options.outDir folder of all outputs
 * @param {{ folder: string, html: string, document?: string, entries: Record<string, string> }} options.page `%name.js%` and `%name.css%`
 *   in its document are replaced by the addresses of the entry `name`
 * @param {string} options.version
 * @returns {Promise<{ files: { path: string, contents: Uint8Array }[], metafile: import('esbuild').Metafile }>}
 *   each text also compressed, as `<path>.gz`
 */
export async function bundlePage({ root, outDir, page, version }) {
  const folder = join(outDir, page.folder);
  const { outputFiles, metafile } = await esbuild.build({
    absWorkingDir: root,
    entryPoints: page.entries,
    outdir: folder,
    entryNames: 'assets/[name]-[hash]',
    chunkNames: 'assets/[name]-[hash]',
    assetNames: 'assets/[name]-[hash]',
    bundle: true,
    splitting: true,
    platform: 'browser',
    format: 'esm',
    target: BROWSERS,
    minify: true,
    legalComments: 'none',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    loader: { '.svg': 'file' },
    define: { SVC_VERSION: JSON.stringify(version) },
    metafile: true,
    write: false,
    logLevel: 'silent',
  });
  const files = outputFiles.map(({ path, contents }) => ({ path, contents }));
  const address = (path) => relative(folder, join(root, path)).replaceAll('\\', '/');
  let html = readFileSync(join(root, page.html), 'utf8');
  for (const [name, source] of Object.entries(page.entries)) {
    const [path, output] =
      Object.entries(metafile.outputs).find(([, one]) => one.entryPoint === source) ?? [];
    if (path === undefined) throw new Error(`the page has no script of ${source}`);
    html = html.replaceAll(`%${name}.js%`, address(path));
    if (output.cssBundle) html = html.replaceAll(`%${name}.css%`, address(output.cssBundle));
  }
  const missing = /%[\w.-]+%/.exec(html);
  if (missing) throw new Error(`${page.html} names ${missing[0]}, which no entry of the page gives`);
  files.push({ path: join(folder, page.document ?? 'index.html'), contents: Buffer.from(html) });
  const compressed = files
    .filter(({ path }) => TEXT.test(path))
    .map(({ path, contents }) => ({ path: `${path}.gz`, contents: gzipSync(contents, { level: 9 }) }));
  return { files: [...files, ...compressed], metafile };
}
