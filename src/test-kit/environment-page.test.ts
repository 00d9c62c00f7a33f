import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as assert from 'uvu/assert';
import { suite } from './suite.ts';

const test = suite('docs/environment.md');
const root = fileURLToPath(new URL('../../', import.meta.url));
const page = readFileSync(join(root, 'docs/environment.md'), 'utf8');

/** Set by one program for another, or names that only look like one. */
const NOT_FOR_PEOPLE = ['SVC_RIG_TEST_FILE', 'SVC_RIG_STARTED_BY', 'SVC_GUARD_STARTED_BY', 'SVC_VERSION'];

/** Lines of `rig.env`, taken apart where they are read. */
const OF_RIG_ENV = ['RIG_BENCH_PORT', 'RIG_GUARD', 'RIG_PROFILE_FILE', 'RIG_LOG_FILES'];

/** Names that the shipped programs read. */
function namesInCode(): string[] {
  const files = readdirSync(join(root, 'src'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.ts$/.test(entry.name) && !/\.test\.ts$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => !/\/(lab|test-kit)\//.test(path));
  const read =
    /\benv\.([A-Z][A-Z0-9_]+)|['"`]((?:SVC|RIG|USBADC|UARTADC)_[A-Z0-9_]+)['"`]|\b((?:SVC|USBADC|UARTADC)_[A-Z0-9_]+):/g;
  const names = files.flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(read)].flatMap(
      ([, one, other, third]) => one ?? other ?? third ?? [],
    ),
  );
  return [...new Set(names)].filter((name) => /^(SVC|RIG|USBADC|UARTADC)_/.test(name)).sort();
}

test('every variable that a program reads stands on the page', () => {
  const names = namesInCode();
  assert.ok(names.length > 40, names.join(' '));
  const missing = names.filter((name) => !NOT_FOR_PEOPLE.includes(name) && !named(name));
  assert.equal(missing, []);
});

test('the page names no variable that no program reads', () => {
  const names = namesInCode();
  const isRead = (name: string) => names.some((one) => one === name || one.startsWith(`${name}_`));
  const told = [...page.matchAll(/`((?:SVC|RIG|USBADC|UARTADC)_[A-Z0-9_]+)`/g)].map(([, name]) => name ?? '');
  assert.equal(
    told.filter((name) => !isRead(name) && !OF_RIG_ENV.includes(name)),
    [],
  );
});

/** By itself, or by its prefix with `_HOST` or `_PORT`. */
function named(name: string): boolean {
  const prefix = name.replace(/_(HOST|PORT)$/, '');
  return page.includes(`\`${name}\``) || page.includes(`\`${prefix}\``);
}

test.run();
