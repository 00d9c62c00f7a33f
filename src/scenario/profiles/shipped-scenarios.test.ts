import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import * as assert from 'uvu/assert';
import { Registry, type Sensor } from '../../rig/registry/registry.ts';
import { CONFIRMED } from '../../test-kit/rig/calibration.ts';
import { test } from '../../test-kit/suite.ts';
import { Interpreter } from '../interpreter.ts';
import { fileLoader } from '../syntax/file-loader.ts';
import { isCompleted, validateScenario } from './report.ts';

const ROOT = path.resolve('scenarios');

const linear = (id: string, unit: string, scale: number, offset: number): Sensor => ({
  id,
  unit: 'V',
  calibration: { kind: 'linear', id: `bench-${id}`, unit, scale, offset, ...CONFIRMED },
});

/** The table of `scenarios/README.md`. */
const registry = new Registry({
  sensors: [
    linear('ai01', 'mbar', 100, -63.5),
    linear('ai02', 'bar', 10, -7.55),
    linear('ai03', 'bar', 300, -265.5),
  ],
});

const files = readdirSync(ROOT, { recursive: true, encoding: 'utf8' })
  .filter((name) => /\.(?:oql|cql)$/.test(name))
  .sort();
const isLibrary = (name: string) => name.startsWith(`lib${path.sep}`);

test('there are scenarios and libraries', () => {
  assert.ok(files.filter((name) => !isLibrary(name)).length >= 12);
  assert.ok(files.some(isLibrary));
});

for (const name of files) {
  const file = path.join(ROOT, name);
  const source = readFileSync(file, 'utf8');
  const loader = fileLoader({ topDir: isLibrary(name) ? path.join(ROOT, 'lib') : ROOT, libraryRoot: ROOT });

  test(`${name} reads without error and warning`, async () => {
    const report = await validateScenario(source, file, { registry, loader, strict: true });
    assert.ok(isCompleted(report));
    assert.equal(isCompleted(report) ? report.issues : [], []);
  });

  test(`${name} says what it proves, what must be connected and how long it takes`, () => {
    if (isLibrary(name)) return assert.match(source, /Connected: /);
    for (const word of ['# Proves:', '# Connected:', '# Takes:']) assert.ok(source.includes(word), word);
  });

  if (isLibrary(name)) continue;

  test(`${name} passes in a dry-run, judges something, and leaves nothing open`, async () => {
    const result = await new Interpreter({
      mode: 'dry-run',
      registry,
      loader,
      strict: true,
      quiet: true,
      out: () => {},
    }).run(source, file);
    const findings = result.diagnostics.filter(({ severity }) => severity !== 'info');
    assert.equal(findings, []);
    assert.is(result.outcome, 'passed');
    assert.ok(result.goals.every((goal) => goal.kind === 'CONFIG' || goal.checks > 0));
    const left = new Map<string, unknown>();
    for (const event of result.events) if (event.type === 'actuate') left.set(event.peripheral, event.sent);
    for (const [peripheral, sent] of left)
      if (!peripheral.startsWith('lung'))
        assert.ok(sent === false || sent === 0, `${peripheral} is left at ${sent}`);
  });
}

test('a library is a library: nothing in it runs', async () => {
  for (const name of files.filter(isLibrary))
    assert.not(/^(?:GOAL|CONFIG)\b/m.test(readFileSync(path.join(ROOT, name), 'utf8')), name);
});

test.run();
