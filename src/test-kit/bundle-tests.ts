import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import * as esbuild from 'esbuild';

export interface TestBundles {
  childModule: string;
  /** Bundle of each test file that could be built. */
  bundles: Map<string, string>;
  /** Why the others could not. */
  errors: Map<string, string>;
  /** Removes the bundles. */
  dispose: () => void;
}

const HERE = fileURLToPath(new URL('.', import.meta.url));
const CHILD_ENTRY = join(HERE, 'child.ts');
const CHILD_NAME = 'child';

/**
 * Bundles test files once for all of their processes, which then start in plain Node: a quarter of the time that
 * each would take to load a compiler. Packages stay outside. The bundles lie below node_modules, where the packages
 * are found and no tool looks for sources.
 */
export async function bundleTests(root: string, files: string[]): Promise<TestBundles> {
  const folder = cacheFolder(root);
  const outOf = new Map(files.map((file, index) => [file, `${index}-${basename(file, '.ts')}`]));
  const build = (entries: [string, string][]) =>
    esbuild.build({
      absWorkingDir: root,
      entryPoints: entries.map(([path, out]) => ({ in: resolve(root, path), out })),
      outdir: folder,
      outExtension: { '.js': '.mjs' },
      bundle: true,
      packages: 'external',
      platform: 'node',
      format: 'esm',
      target: 'node20',
      sourcemap: true,
      sourcesContent: false,
      logLevel: 'silent',
      plugins: [modulesKnowTheirSource],
    });

  const errors = new Map<string, string>();
  await build([[CHILD_ENTRY, CHILD_NAME]]);
  try {
    await build([...outOf]);
  } catch {
    // One bad file fails the whole build: find out which.
    for (const entry of outOf) {
      try {
        await build([entry]);
      } catch (error) {
        errors.set(entry[0], error instanceof Error ? error.message : String(error));
      }
    }
  }
  const bundled = [...outOf].filter(([file]) => !errors.has(file));
  return {
    childModule: join(folder, `${CHILD_NAME}.mjs`),
    bundles: new Map(bundled.map(([file, out]) => [file, join(folder, `${out}.mjs`)])),
    errors,
    dispose: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** A bundled module still finds the files beside its source through `import.meta`. */
const modulesKnowTheirSource: esbuild.Plugin = {
  name: 'modules-know-their-source',
  setup(build) {
    build.onLoad({ filter: /\.ts$/ }, ({ path }) => {
      const source = readFileSync(path, 'utf8');
      if (!source.includes('import.meta')) return undefined;
      const meta = JSON.stringify({
        url: pathToFileURL(path).href,
        filename: path,
        dirname: resolve(path, '..'),
      });
      // Hoisted from the end, so that no line of the source moves.
      // A string that names it, as a bundler's `define` does, is left alone.
      const contents = source.replaceAll(/(?<!['"`])\bimport\.meta\b/g, 'importMetaOfSource()');
      return { contents: `${contents}\nfunction importMetaOfSource() { return ${meta}; }\n`, loader: 'ts' };
    });
  },
};

let made = 0;

/** A folder of this run's own; what runs that were killed have left is removed. */
function cacheFolder(root: string): string {
  const parent = join(root, 'node_modules', '.cache', 'svc-rig-tests');
  mkdirSync(parent, { recursive: true });
  for (const name of readdirSync(parent)) {
    if (!isAlive(Number.parseInt(name, 10))) rmSync(join(parent, name), { recursive: true, force: true });
  }
  const folder = join(parent, `${process.pid}-${++made}`);
  mkdirSync(folder);
  return folder;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
