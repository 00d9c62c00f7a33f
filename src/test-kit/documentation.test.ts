import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as assert from 'uvu/assert';
import { suite } from './suite.ts';

const test = suite('pages of docs/');
const root = fileURLToPath(new URL('../../', import.meta.url));

const pages = readdirSync(join(root, 'docs')).filter((name) => name.endsWith('.md'));
const documents = [
  ...pages.map((name) => `docs/${name}`),
  ...['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', 'SECURITY.md', 'scenarios/README.md'],
];
const textOf = (document: string): string => readFileSync(join(root, document), 'utf8');

/** Without code: what stands in a fence or in backticks is not a link and no heading. */
const proseOf = (document: string): string =>
  textOf(document)
    .replace(/^```.*?^```/gms, '')
    .replace(/`[^`\n]+`/g, (code) => code.replace(/[[\]()#]/g, ''));

/** Anchors of the headings, as GitHub makes them. */
function anchorsOf(document: string): Set<string> {
  const anchors = new Set<string>();
  for (const [, heading = ''] of proseOf(document).matchAll(/^#+ (.*)$/gm)) {
    const anchor = heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}_ -]/gu, '')
      .replaceAll(' ', '-');
    const copies = [...anchors].filter((one) => one === anchor || one.startsWith(`${anchor}-`)).length;
    anchors.add(anchors.has(anchor) ? `${anchor}-${copies}` : anchor);
  }
  return anchors;
}

/** What is wrong with the target of a link; undefined for one that leads somewhere. */
function linkFault(document: string, target: string): string | undefined {
  if (/^[a-z]+:/.test(target)) return undefined;
  const [path = '', anchor] = target.split('#');
  const file = path === '' ? document : relative(root, join(root, dirname(document), path));
  if (!existsSync(join(root, file))) return `${document} links to ${target}, which does not exist`;
  if (anchor === undefined || !file.endsWith('.md') || anchorsOf(file).has(anchor)) return undefined;
  return `${document} links to ${target}: ${file} has no such heading`;
}

test('the index lists every page once', () => {
  const linked = [...proseOf('docs/README.md').matchAll(/\]\(([\w-]+\.md)\)/g)].map(([, name]) => name);
  assert.equal(linked.sort(), pages.filter((name) => name !== 'README.md').sort());
});

test('every link leads to a file and a heading that exist', () => {
  const faults = documents.flatMap((document) =>
    [...proseOf(document).matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => linkFault(document, target)),
  );
  assert.ok(faults.length > 40, `${faults.length} links found`);
  assert.equal(
    faults.filter((fault) => fault !== undefined),
    [],
  );
});

test('every page of docs/ that a text, a program or a message names exists', () => {
  const sources = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => join('src', name));
  const missing = [...documents, ...sources].flatMap((document) =>
    [...textOf(document).matchAll(/\bdocs\/[\w-]+\.(?:md|json)\b/g)]
      .filter(([path]) => !existsSync(join(root, path)))
      .map(([path]) => `${document}: ${path}`),
  );
  assert.equal(missing, []);
});

/** Files that the pages on adding something let the reader write. */
const TO_BE_WRITTEN = /flow-gauge|beep/;

test('every source file that a page names exists', () => {
  const files = ['src', 'test-hil'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map(
      (name) => `/${folder}/${name}`,
    ),
  );
  const named = documents.flatMap((document) =>
    [...textOf(document).matchAll(/`((?:src|test-hil)\/[\w./-]+|[\w./-]+\.ts)`/g)].map(([, path = '']) => ({
      document,
      path: path.replace(/\/$/, ''),
    })),
  );
  assert.ok(named.length > 60, `${named.length} named`);
  const missing = named.filter(
    ({ path }) => !TO_BE_WRITTEN.test(path) && !files.some((file) => file.endsWith(`/${path}`)),
  );
  assert.equal(
    missing.map(({ document, path }) => `${document}: ${path}`),
    [],
  );
});

test.run();
