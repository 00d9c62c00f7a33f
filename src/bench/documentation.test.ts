import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as assert from 'uvu/assert';
import { suite } from '../test-kit/suite.ts';
import { Bench } from './bench.ts';

const test = suite('docs/bench.md');
const page = readFileSync(fileURLToPath(new URL('../../docs/bench.md', import.meta.url)), 'utf8');

/** What stands in backticks in a cell; `a1_v`..`a3_v` is all of them. */
function named(cell: string): string[] {
  const ranges = [...cell.matchAll(/`(\w+?)(\d)(\w*)`\.\.`\w+?(\d)\w*`/g)].flatMap(
    ([, head, from, tail, to]) =>
      Array.from({ length: Number(to) - Number(from) + 1 }, (_, n) => `${head}${Number(from) + n}${tail}`),
  );
  return [
    ...ranges,
    ...[...cell.replace(/\([^)]*\)/g, '').matchAll(/`(\w+)`/g)].map(([, name]) => name ?? ''),
  ];
}

/** The rows of the table below a heading, as pairs of devices and what is named for them. */
function table(heading: string): Map<string, Set<string>> {
  const text = page.slice(page.indexOf(heading));
  const rows = text.slice(0, text.indexOf('\n\n', heading.length + 2)).split('\n');
  const entries = rows.flatMap((row) => {
    const [, devices = '', cell = ''] = row.split(' | ').length > 1 ? ['', ...row.split(' | ')] : [];
    return [...devices.matchAll(/`([\w-]+)`/g)].map(
      ([, device = '']) => [device, new Set(named(cell))] as const,
    );
  });
  return new Map(entries);
}

test('DEV-045 it names every knob and every fault of every twin that is plugged in by default, and no other', () => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-bench-docs-'));
  const knobs = table('| Device | Knobs |');
  const faults = table('| Device | Faults of one reply |');
  for (const device of new Bench({ folder }).devices()) {
    if (device.device === 'plant') continue;
    assert.equal(
      [...(knobs.get(device.device) ?? [])].sort(),
      Object.keys(device.knobs).sort(),
      device.device,
    );
    assert.equal([...(faults.get(device.device) ?? [])].sort(), [...device.faults].sort(), device.device);
  }
  rmSync(folder, { recursive: true, force: true });
});

test('it names every parameter of the plant', () => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-bench-docs-'));
  const { plant } = new Bench({ folder });
  const section = page.slice(page.indexOf('| Knob of `plant` |'));
  for (const name of Object.keys(plant.parameters)) assert.ok(section.includes(`\`${name}\``), name);
  rmSync(folder, { recursive: true, force: true });
});

test.run();
