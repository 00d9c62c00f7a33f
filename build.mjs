#!/usr/bin/env node
// Bundles every program into one CommonJS file below dist/, with the native add-ons it needs beside it, so that
// dist/ runs without node_modules.
//
//   node build.mjs [--target=linux-x64|linux-arm64] [--out=dist] [--modules=FOLDER] [--development] [--quiet]
//
// --development adds the page /components, which shows every component of the operator page.
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import * as esbuild from 'esbuild';
import { licenceNotices } from './src/lib/bundle/licences.mjs';
import { nativeAddons } from './src/lib/bundle/native-addons.mjs';
import { bundlePage } from './src/lib/bundle/page-bundle.mjs';
import { quickStart } from './src/lib/bundle/quick-start.mjs';

const root = fileURLToPath(new URL('.', import.meta.url));

/** Every program of the rig: the name of its bundle and where it starts. */
export const programs = {
  svcctl: 'src/cli/svcctl/main.ts',
  'svc-bench': 'src/services/bench/main.ts',
  'svc-bridge': 'src/services/bridge/main.ts',
  'svc-guard': 'src/services/guard/main.ts',
  'svc-pump': 'src/services/pump/main.ts',
  'svc-lung': 'src/services/lung/main.ts',
  'svc-adc-stack': 'src/services/adc-stack/main.ts',
  'svc-adc-uart': 'src/services/adc-uart/main.ts',
  'svc-adc-usb': 'src/services/adc-usb/main.ts',
  'svc-sensors': 'src/services/sensors/main.ts',
  'svc-window': 'src/services/window/main.ts',
  'svc-server': 'src/services/server/main.ts',
  'svc-first-boot': 'src/services/first-boot/main.ts',
  'svc-start': 'src/cli/start/main.ts',
  'hardware-check': 'src/cli/hardware-check/main.ts',
  'svc-diag': 'src/cli/diag/main.ts',
  'svc-modbus-probe': 'src/cli/modbus-probe/main.ts',
  'svc-scenario-sync': 'src/cli/sync/main.ts',
  'svc-scenario-migrate': 'src/cli/migrate/main.ts',
};

/** Parts of programs that start at once, before the rest of the program is compiled. */
export const quickParts = {
  svcctl: 'src/cli/svcctl/quick-main.ts',
};

/** Threads of programs that are bundled by themselves, so that the program does not load what only the thread needs. */
export const threads = {
  'svc-server-index': 'src/services/server/run-index/thread/main.ts',
};

/** What lies beside the bundles as it is, by its place below dist/. */
export const assets = {
  'svc-window-page/index.html': 'src/services/window/page/index.html',
  'svc-window-page/window.css': 'src/services/window/page/window.css',
  'svc-window-page/window.js': 'src/services/window/page/window.js',
  'zxing_reader.wasm': 'node_modules/zxing-wasm/dist/reader/zxing_reader.wasm',
};

/** The operator page: its scripts by name, and the folder below dist/ from which svc-server serves it. */
export const operatorPage = {
  folder: 'svc-server-page',
  html: 'src/web/index.html',
  entries: {
    main: 'src/web/main.tsx',
    'language-worker': 'src/web/views/scenarios/language/worker.ts',
  },
};

/** Of the development build alone: every component of the page in every state. */
const gallery = {
  folder: operatorPage.folder,
  html: 'src/web/gallery/index.html',
  document: 'components.html',
  entries: { gallery: 'src/web/gallery/main.tsx' },
};

export const nativeTarget = `${process.platform}-${process.arch}`;

/**
 * Bundles entries (name to source path, relative to the project) into `outDir`.
 *
 * @param {object} [options]
 * @param {Record<string, string>} [options.entries]
 * @param {string} [options.outDir]
 * @param {string} [options.target]
 * @param {boolean} [options.development]
 * @param {string[]} [options.modules] further `node_modules` folders to take add-ons from
 * @returns {Promise<{ files: { path: string, bytes: number }[], warnings: string[] }>}
 */
export async function build({
  entries = { ...programs, ...threads },
  outDir = join(root, 'dist'),
  target = nativeTarget,
  modules = [],
  development = false,
} = {}) {
  for (const [name, entry] of Object.entries(entries)) {
    if (!existsSync(resolve(root, entry))) throw new Error(`program "${name}" has no entry ${entry}`);
  }
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const bundle = {
    absWorkingDir: root,
    outdir: outDir,
    outExtension: { '.js': '.cjs' },
    assetNames: '[name]-[hash]',
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node20',
    minifySyntax: true,
    minifyWhitespace: true,
    legalComments: 'none',
    metafile: true,
    write: false,
    logLevel: 'silent',
    loader: { '.node': 'copy' },
    banner: {
      js: `#!/usr/bin/env node\n'use strict';\nconst __svcBundleUrl = require('node:url').pathToFileURL(__filename).href;`,
    },
    define: {
      SVC_VERSION: JSON.stringify(version),
      'import.meta.url': '__svcBundleUrl',
      // libsql then takes its add-on from the loader that native-addons replaces.
      'process.env.LIBSQL_JS_DEV': '"1"',
    },
  };
  const plugins = [
    pm2StaysOutside,
    nativeAddons({ target, modules: [...modules, join(root, 'node_modules')] }),
  ];
  const result = await esbuild.build({ ...bundle, entryPoints: entries, plugins });
  const quick = Object.fromEntries(Object.entries(quickParts).filter(([name]) => name in entries));
  // They open no device.
  const small = await esbuild.build({ ...bundle, entryPoints: quick, plugins: [noDevices] });
  const quickOf = new Map(small.outputFiles.map(({ path, text }) => [path, text]));

  const outputs = result.outputFiles.map(({ path, contents, text }) => {
    const first = quickOf.get(path);
    return { path, contents: first === undefined ? contents : Buffer.from(quickStart(first, text)) };
  });
  const page = await bundlePage({ root, outDir, page: operatorPage, version });
  outputs.push(...page.files);
  if (development) outputs.push(...(await bundlePage({ root, outDir, page: gallery, version })).files);
  const inputs = { ...result.metafile.inputs, ...page.metafile.inputs };
  const notices = Buffer.from(licenceNotices(root, { ...result.metafile, inputs }));
  outputs.push({ path: join(outDir, 'THIRD-PARTY-LICENCES.txt'), contents: notices });
  for (const [at, from] of Object.entries(assets))
    outputs.push({ path: join(outDir, at), contents: readFileSync(join(root, from)) });
  place(outDir, outputs);
  return {
    files: outputs.map(({ path, contents }) => ({ path, bytes: contents.byteLength })),
    warnings: result.warnings.map(({ text, location }) => (location ? `${location.file}: ${text}` : text)),
  };
}

/** Packages of devices are only named in what starts at once, never loaded. */
const noDevices = {
  name: 'no-devices',
  setup(build) {
    const filter = /^(usb|node-hid|serialport|@serialport\/.*|i2c-bus|koffi|libsql|@lydell\/node-pty)$/;
    build.onResolve({ filter }, ({ path }) => ({ path, external: true }));
  },
};

/** PM2 is under the AGPL and supervises from outside. */
const pm2StaysOutside = {
  name: 'pm2-stays-outside',
  setup(build) {
    build.onResolve({ filter: /^pm2(\/|$)/ }, () => ({
      errors: [{ text: 'pm2 is never bundled: run it as a program' }],
    }));
  },
};

/**
 * Puts the outputs in place and removes what an earlier build left. A file is replaced by renaming, never written
 * over: a running program may have the old add-on mapped.
 */
function place(outDir, outputs) {
  mkdirSync(outDir, { recursive: true });
  for (const { path, contents } of outputs) {
    if (existsSync(path) && readFileSync(path).equals(contents)) continue;
    mkdirSync(dirname(path), { recursive: true });
    const temporary = `${path}.${process.pid}.tmp`;
    writeFileSync(temporary, contents);
    if (path.endsWith('.cjs')) chmodSync(temporary, 0o755);
    renameSync(temporary, path);
  }
  const kept = new Set(outputs.map(({ path }) => basename(path)));
  for (const file of readdirSync(outDir)) {
    if (/\.(cjs|node)$/.test(file) && !kept.has(file)) rmSync(join(outDir, file));
  }
  for (const file of [gallery.document, `${gallery.document}.gz`])
    if (!kept.has(file)) rmSync(join(outDir, operatorPage.folder, file), { force: true });
  removeOldAssets(join(outDir, operatorPage.folder, 'assets'), kept);
}

/** A server that runs since before this build still serves the files of its page, and a page that is open asks for them. */
const ASSETS_KEPT_MS = 7 * 24 * 3_600_000;

function removeOldAssets(folder, kept) {
  if (!existsSync(folder)) return;
  for (const file of readdirSync(folder)) {
    const path = join(folder, file);
    if (!kept.has(file) && Date.now() - statSync(path).mtimeMs > ASSETS_KEPT_MS) rmSync(path);
  }
}

async function main() {
  const { values } = parseArgs({
    options: {
      target: { type: 'string', default: nativeTarget },
      out: { type: 'string', default: join(root, 'dist') },
      modules: { type: 'string', multiple: true, default: [] },
      development: { type: 'boolean', default: false },
      quiet: { type: 'boolean', default: false },
    },
  });
  const startedAt = performance.now();
  const { files, warnings } = await build({
    outDir: resolve(values.out),
    target: values.target,
    development: values.development,
    modules: values.modules.map((folder) => resolve(folder)),
  });
  if (values.quiet) return;
  for (const warning of warnings) process.stderr.write(`warning: ${warning}\n`);
  for (const { path, bytes } of files)
    process.stdout.write(`${(bytes / 1024).toFixed(0).padStart(7)} KiB  ${basename(path)}\n`);
  process.stdout.write(`built for ${values.target} in ${(performance.now() - startedAt).toFixed(0)} ms\n`);
}

if (process.argv[1] && resolve(process.argv[1]) === fileURLToPath(import.meta.url)) {
  main().catch((error) => {
    process.stderr.write(`build failed: ${error.message}\n`);
    process.exitCode = 1;
  });
}
