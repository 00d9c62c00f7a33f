import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { PassThrough } from 'node:stream';
import type { Page } from 'playwright-core';
import * as assert from 'uvu/assert';
import { processIo } from '../../src/cli/io/io.ts';
import { validateCommand } from '../../src/cli/validate/validate-command.ts';
import { loadRigConfig } from '../../src/rig/configuration/load-rig-config.ts';
import { parseCases, type TextCase } from '../../src/scenario/cases/case-file.ts';
import { parseOptions, resolveEscapes } from '../../src/scenario/cases/case-options.ts';
import type { Diagnostic } from '../../src/scenario/diagnostics/diagnostic.ts';
import { diagnosticIssues } from '../../src/scenario/profiles/diagnostic-issue.ts';
import type { ValidationIssue } from '../../src/scenario/profiles/report-shape.ts';
import { loadChecked } from '../../src/scenario/safety/load-checked.ts';
import { fileLoader } from '../../src/scenario/syntax/file-loader.ts';
import { suite } from '../../src/test-kit/suite.ts';
import type { RigLanguage, ShownFinding } from '../../src/web/views/scenarios/language/protocol.ts';
import { end, launchReady } from '../rig/bench/program.ts';
import { CHROMIUM, hasChromium, onBrowser } from './browser.ts';

const test = suite('findings of the editor on the page');
const withChromium = test.needs(hasChromium, `${CHROMIUM} is not installed`);
const LONG = { timeoutMs: 300_000 };

const CASES = 'src/scenario/cases';
const folder = realpathSync(mkdtempSync(join(tmpdir(), 'editor-cases-')));
test.after(() => rmSync(folder, { recursive: true, force: true }));

interface Written {
  one: TextCase;
  file: string;
  text: string;
  /** What a scenario of the case may include. */
  rig: Pick<RigLanguage, 'folder' | 'files'>;
}

/** The text of a case as a file, with the files that it includes beside it. */
function write(one: TextCase, n: number): Written {
  const options = parseOptions(one.options, one.place);
  const top = join(folder, `${n}`);
  const library = join(top, 'library');
  mkdirSync(library, { recursive: true });
  const file = join(top, options.file.split('/').at(-1) || 'case.oql');
  const bytes = Buffer.from(options.escapes ? resolveEscapes(one.input) : one.input);
  const files = [...one.files].map(([path, text]) => {
    const target = join(top, path);
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, text);
    return { file: target, base64: Buffer.from(text).toString('base64') };
  });
  writeFileSync(file, bytes);
  // As GET /api/scenarios gives it and the editor holds it.
  const text = bytes.toString('utf8').replace(/\r\n?/g, '\n');
  return { one, file, text, rig: { folder: library, files } };
}

/** The findings of `svcctl validate --json`. */
async function validated({ file, rig }: Written): Promise<readonly ValidationIssue[]> {
  const stdout = new PassThrough();
  const io = { ...processIo(), cwd: folder, env: { SVC_CONFIG_PATH: '/dev/null' }, stdout: stdout as never };
  await validateCommand(file, { json: true, library: rig.folder }, io);
  const report = JSON.parse(String(stdout.read())) as { issues?: ValidationIssue[] };
  return report.issues ?? [];
}

/** The findings of the worker of the page, in the browser, for one text after the other. */
function inWorker(page: Page, asked: readonly { rig: RigLanguage; file: string; text: string }[]) {
  return page.evaluate(async (texts) => {
    const url = document.querySelector<HTMLMetaElement>('meta[name="language-worker"]')!.content;
    type Types = { createPolicy(name: string, rules: object): { createScriptURL(url: string): string } };
    const { trustedTypes } = window as unknown as { trustedTypes: Types };
    const policy = trustedTypes.createPolicy('svc-worker', { createScriptURL: (one: string) => one });
    const worker = new Worker(policy.createScriptURL(url), { type: 'module' });
    let id = 0;
    const ask = (method: string, params: unknown) =>
      new Promise<unknown>((resolve, reject) => {
        worker.onerror = (event) => reject(new Error(event.message));
        worker.onmessage = ({ data }) =>
          'fault' in data ? reject(new Error(data.fault)) : resolve(data.answer);
        worker.postMessage({ id: ++id, method, params });
      });
    const found: unknown[] = [];
    for (const { rig, file, text } of texts) {
      await ask('rig', rig);
      found.push(await ask('findings', { file, text }));
    }
    worker.terminate();
    return found;
  }, asked) as Promise<ShownFinding[][]>;
}

const { config, registry, interlocks } = loadRigConfig({
  env: { SVC_CONFIG_PATH: '/dev/null' },
  cwd: folder,
});

/** What the check before a run finds, information and places included. */
const checked = ({ file, rig }: Written): readonly Diagnostic[] =>
  loadChecked(readFileSync(file), file, {
    loader: fileLoader({ topDir: dirname(file), libraryRoot: rig.folder }),
    safety: { registry, limits: config.limits, interlocks },
  }).diagnostics;

const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

withChromium(
  'PAGE-004 for every text case of the language the findings in the browser equal svcctl validate',
  async () => {
    const cases = readdirSync(CASES)
      .filter((name) => name.endsWith('.case.txt'))
      .flatMap((name) => parseCases(readFileSync(join(CASES, name), 'utf8'), name));
    const written = cases.map(write);
    const server = await launchReady('svc-server', ['--port', '0'], {
      SVC_CONFIG_PATH: '/dev/null',
      SVC_STATE_DIR: join(folder, 'state'),
      SVC_SCENARIO_DIR: join(folder, '0'),
      SVC_FIRMWARE_URL: 'http://127.0.0.1:1',
    });
    try {
      const language = (await (await fetch(`${server.url}/api/language`)).json()) as RigLanguage;
      let found: ShownFinding[][] = [];
      await onBrowser(async (browser) => {
        const page = await browser.newPage();
        await page.goto(server.url);
        found = await inWorker(
          page,
          written.map(({ rig, file, text }) => ({ rig: { ...language, ...rig }, file, text })),
        );
      });
      assert.is(found.length, cases.length);
      let total = 0;
      for (const [n, one] of written.entries()) {
        const issues = await validated(one);
        total += issues.length;
        const diagnostics = found[n]!.map(({ diagnostic }) => diagnostic);
        const { title, place } = one.one;
        assert.equal(diagnosticIssues(diagnostics, one.file), issues, `${place} ${title}`);
        assert.equal(diagnostics, plain(checked(one)), `${place} ${title}`);
        for (const { from, to, diagnostic } of found[n]!)
          if (diagnostic.pos.file === one.file && diagnostic.pos.line === diagnostic.pos.endLine)
            assert.is(to - from, diagnostic.pos.endCol - diagnostic.pos.col, `${place} ${diagnostic.code}`);
      }
      assert.ok(total > 300, `${total} findings were compared`);
    } finally {
      await end(server);
    }
  },
  LONG,
);

test.run();
