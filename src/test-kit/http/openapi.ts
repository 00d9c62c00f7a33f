import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import process from 'node:process';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { Validator } from '@seriousme/openapi-schema-validator';
import { build } from 'esbuild';
import * as assert from 'uvu/assert';

const run = promisify(execFile);

type Document = Record<string, unknown>;

/** The description of a running service, checked against the schema of OpenAPI 3.1. */
export async function validDescription(url: string): Promise<Document> {
  const answer = await fetch(`${url}/openapi.json`);
  assert.is(answer.status, 200);
  const document = (await answer.json()) as Document;
  assert.is(document.openapi, '3.1.0');
  const validator = new Validator();
  const { valid, errors } = await validator.validate(structuredClone(document));
  assert.ok(valid, JSON.stringify(errors, null, 1));
  assert.is(validator.version, '3.1');
  const ids = Object.values(
    document.paths as Record<string, Record<string, { operationId: string }>>,
  ).flatMap((methods) => Object.values(methods).map(({ operationId }) => operationId));
  assert.is(new Set(ids).size, ids.length, 'each operation has a name of its own');
  return document;
}

/** A program may use the `client` of openapi-fetch, or `get(path, parameters)`; all is typed by the description. */
const CLIENT = `
import createClient from 'openapi-fetch';
import type { paths } from './api.ts';
export const client = createClient<paths>({ baseUrl: URL_OF_SERVICE });
type Get<P extends keyof paths> = paths[P] extends { get: infer G } ? G : never;
type Path<P extends keyof paths> = Get<P> extends { parameters: { path: infer X } } ? X : Record<never, never>;
type Answer<P extends keyof paths> =
  Get<P> extends { responses: { 200: { content: { 'application/json': infer A } } } } ? A : never;
export async function get<P extends keyof paths>(path: P, parameters: Path<P>): Promise<Answer<P>> {
  const values = new Map(Object.entries(parameters as object));
  const filled = path.replace(/{(\\w+)}/g, (_, name) => encodeURIComponent(String(values.get(name))));
  const answer = await fetch(URL_OF_SERVICE + filled);
  if (!answer.ok) throw new Error(await answer.text());
  return (await answer.json()) as Answer<P>;
}
`;

const COMPILER_OPTIONS = {
  strict: true,
  noUncheckedIndexedAccess: true,
  noEmit: true,
  allowImportingTsExtensions: true,
  target: 'ES2022',
  lib: ['ES2023', 'DOM'],
  types: [],
  module: 'ESNext',
  moduleResolution: 'Bundler',
};

/** Below node_modules, where the packages are found and no tool looks for sources. */
const FOLDER = resolve('node_modules/.cache/svc-rig/openapi');

/** In two words, for the bundler of the tests puts the name of this module in their place. */
const META = ['import', 'meta'].join('.');

interface Generator {
  default(document: Document): Promise<unknown>;
  astToString(types: unknown): string;
}

/**
 * Types of a description, by openapi-typescript. It prints by the compiler API of TypeScript 5, which TypeScript 7 does not
 * have: the bundle takes that version in place of ours.
 */
async function typesOf(document: Document): Promise<string> {
  const outfile = join(FOLDER, `generator-${process.pid}.mjs`);
  await build({
    stdin: {
      contents: "export { default, astToString } from 'openapi-typescript';",
      resolveDir: '.',
    },
    bundle: true,
    platform: 'node',
    format: 'esm',
    outfile,
    alias: { typescript: 'typescript-5' },
    external: ['typescript-5'],
    banner: {
      js: `import { createRequire } from 'node:module'; const require = createRequire(${META}.url);`,
    },
    logLevel: 'error',
  });
  try {
    const generator = (await import(pathToFileURL(outfile).href)) as Generator;
    return generator.astToString(await generator.default(document));
  } finally {
    rmSync(outfile, { force: true });
  }
}

/**
 * Writes a client from the description of a running service, compiles it strictly together with `program`, and runs
 * both. @returns what the program prints. @throws Error with the compiler's output
 */
export async function runGeneratedClient(url: string, program: string): Promise<string> {
  const document = await validDescription(url);
  mkdirSync(FOLDER, { recursive: true });
  const folder = mkdtempSync(join(FOLDER, 'client-'));
  try {
    writeFileSync(join(folder, 'api.ts'), await typesOf(document));
    writeFileSync(join(folder, 'client.ts'), CLIENT.replaceAll('URL_OF_SERVICE', JSON.stringify(url)));
    writeFileSync(join(folder, 'main.ts'), `import { client, get } from './client.ts';\n${program}`);
    writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: COMPILER_OPTIONS }));
    await run('node_modules/.bin/tsc', ['--project', folder]).catch(({ stdout }: { stdout: string }) => {
      throw new Error(`the client does not compile:\n${stdout}`);
    });
    const { stdout } = await run(process.execPath, ['--import', 'tsx', join(folder, 'main.ts')]);
    return stdout;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
