import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Finished, SvcctlProcess } from './svcctl-process.ts';

export interface Evaluated extends Finished {
  /** Paths of the modules in the bundle whose code was run, for example `node_modules/yaml/dist/index.js`. */
  readonly modules: readonly string[];
  /** The modules of node that were loaded, for example `NativeModule internal/deps/undici/undici`. */
  readonly builtIns: readonly string[];
}

interface Coverage {
  result: { url: string; functions: { functionName: string; ranges: { count: number }[] }[] }[];
}

const LISTS_BUILT_INS = `
process.on('exit', () =>
  require('node:fs').writeFileSync(process.env.BUILT_INS, JSON.stringify(process.moduleLoadList)));`;

/** Runs the program and reports what of it was evaluated: by V8's count of the calls of each module's wrapper. */
export async function evaluatedBy(
  svcctl: SvcctlProcess,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Evaluated> {
  const folder = mkdtempSync(join(svcctl.directory, 'evaluated-'));
  const listing = join(folder, 'list.cjs');
  writeFileSync(listing, LISTS_BUILT_INS);
  const builtIns = join(folder, 'built-ins');
  // In two runs: counting loads modules of node's own.
  await svcctl.run(args, { env: { ...env, NODE_OPTIONS: `--require ${listing}`, BUILT_INS: builtIns } });
  const counts = join(folder, 'counts');
  const finished = await svcctl.run(args, { env: { ...env, NODE_V8_COVERAGE: counts } });
  const modules = [...unwrapped(svcctl.program), ...calledWrappers(svcctl.program, counts)];
  const list = JSON.parse(readFileSync(builtIns, 'utf8')) as string[];
  rmSync(folder, { recursive: true });
  return { ...finished, modules, builtIns: list };
}

/** esbuild wraps each module that is loaded on demand into a function of that name; the others run at the start. */
function unwrapped(program: string): string[] {
  const text = readFileSync(program, 'utf8');
  const all = [...text.matchAll(/^\/\/ ((?:src|node_modules)\/\S+)$/gm)].map(([, path = '']) => path);
  return all.filter((path) => !text.includes(`\n  "${path}"(`));
}

function calledWrappers(program: string, counts: string): string[] {
  const url = pathToFileURL(program).href;
  return readdirSync(counts)
    .flatMap((name) => (JSON.parse(readFileSync(join(counts, name), 'utf8')) as Coverage).result)
    .filter((script) => script.url === url)
    .flatMap(({ functions }) => functions)
    .filter(({ functionName, ranges }) => /^(src|node_modules)\//.test(functionName) && ranges[0]?.count)
    .map(({ functionName }) => functionName);
}
