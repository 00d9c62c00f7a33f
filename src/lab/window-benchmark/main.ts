import { readFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { messageOf } from '../../lib/errors/coded-error.ts';
import { detect } from '../../window/detect/detect.ts';
import type { Box } from '../../window/detect/element.ts';
import { decodePng } from '../../window/image/png/decode.ts';
import { f1, groupsOf, type Judged, scaleLosses, strictF1 } from './groups.ts';
import { loadContours } from './opencv.ts';
import { RoleTally } from './roles.ts';
import { type Score, scoreOf, sumOf } from './score.ts';
import { loadLines } from './tesseract.ts';
import { type Screen, screensOf } from './truth.ts';
import { drawWorst } from './worst.ts';

const USAGE = `Scores the detector on screens with known elements, beside OpenCV's contours and tesseract's lines in the same run.

  npm run bench:window -- [FOLDER] [--per-screen] [--alone] [--worst=FOLDER]

FOLDER holds <id>.png and <id>.gt.json; else it is what "npm run screens" has held back. --alone leaves the others out.
--worst writes the three screens of the lowest F1 with their boxes: found green, false red, excused grey, missed blue.
docs/window-detection.md says what the figures mean.
`;

const HELD = 'node_modules/.cache/svc-rig/screens/held';
const AIMS = { f1: 0.92, strict: 0.82, family: 0.8, scaleLoss: 0.05, cpuMs: 250 };

interface Run {
  name: string;
  find: (png: Buffer) => Promise<Box[]>;
  judged: Judged[];
  /** Of each screen of 1280 x 800, decoding included. */
  cpuMs: number[];
}

const say = (text: string): void => void process.stdout.write(`${text}\n`);

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      'per-screen': { type: 'boolean', default: false },
      alone: { type: 'boolean', default: false },
      worst: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) {
    process.stderr.write(USAGE);
    return 0;
  }
  const screens = screensOf(positionals[0] ?? HELD);
  const roles = new RoleTally();
  const boxes = new Map<string, Box[]>();
  const own: Run = { name: 'svc-window', find: async () => [], judged: [], cpuMs: [] };
  const { others, end } = values.alone ? { others: [], end: async () => undefined } : await peers();
  // The first image pays for unpacking the weights and for compiling.
  const first = readFileSync((screens[0] as Screen).image);
  detect(await decodePng(first));
  for (const { find } of others) await find(first);
  for (const screen of screens) {
    const png = readFileSync(screen.image);
    const found = await timed(own, png, async () => detect(await decodePng(png)));
    const score = scoreOf(
      screen,
      found.map(({ box }) => box),
    );
    roles.add(found, score);
    boxes.set(
      screen.id,
      found.map(({ box }) => box),
    );
    own.judged.push({ screen, score });
    for (const run of others)
      run.judged.push({ screen, score: scoreOf(screen, await timed(run, png, () => run.find(png))) });
    if (values['per-screen'])
      for (const { name, judged } of [own, ...others])
        say(`${screen.id.padEnd(40)} ${line(name, (judged.at(-1) as Judged).score)}`);
  }
  await end();
  if (values.worst !== undefined)
    for (const text of await drawWorst(
      own.judged.map((one) => ({ ...one, boxes: boxes.get(one.screen.id) ?? [] })),
      values.worst,
    ))
      say(text);
  return report([own, ...others], roles);
}

async function timed<T>(run: Run, png: Buffer, work: () => Promise<T>): Promise<T> {
  const before = process.cpuUsage();
  const result = await work();
  const { user, system } = process.cpuUsage(before);
  if (png.readUInt32BE(16) === 1280 && png.readUInt32BE(20) === 800) run.cpuMs.push((user + system) / 1000);
  return result;
}

/** What usual ways find. They are there in development only. */
async function peers(): Promise<{ others: Run[]; end: () => Promise<void> }> {
  const others: Run[] = [];
  const ends: (() => Promise<void>)[] = [];
  const add = async (name: string, load: () => Promise<{ find: Run['find']; end?: () => Promise<void> }>) => {
    try {
      const { find, end } = await load();
      others.push({ name, find, judged: [], cpuMs: [] });
      if (end) ends.push(end);
    } catch (error) {
      say(`${name} is left out: ${messageOf(error)}`);
    }
  };
  await add('OpenCV contours', async () => {
    const contours = await loadContours();
    return { find: async (png) => contours(await decodePng(png)) };
  });
  await add('tesseract lines', loadLines);
  return { others, end: async () => void (await Promise.all(ends.map((one) => one()))) };
}

function report(runs: readonly Run[], roles: RoleTally): number {
  const { judged, cpuMs } = runs[0] as Run;
  const total = sumOf(judged.map(({ score }) => score));
  const families = groupsOf(judged, ({ family }) => family);
  say(`${judged.length} screens of ${families.size} families, ${cpus()[0]?.model ?? 'unknown processor'}\n`);
  for (const run of runs)
    say(
      `${line(run.name, sumOf(run.judged.map(({ score }) => score)))}  CPU at 1280 x 800: median ${at(run.cpuMs, 0.5)} ms, p95 ${at(run.cpuMs, 0.95)} ms`,
    );
  say('');
  for (const [name, score] of families) say(line(name, score));
  say('');
  for (const [name, score] of groupsOf(judged, ({ isDesktop }) => (isDesktop ? 'desktop' : 'web')))
    say(line(name, score));
  for (const [name, score] of groupsOf(judged, ({ scale }) => `${scale}x`)) say(line(name, score));
  const losses = scaleLosses(judged);
  for (const { scale, pages, usual, here } of losses)
    say(`${pages} pages at 1x and at ${scale}x: F1 ${usual.toFixed(3)} and ${here.toFixed(3)}`);
  say(`roles: ${roles}\n`);
  const worst = Math.min(...[...families.values()].map(f1));
  const loss = Math.max(0, ...losses.map(({ usual, here }) => usual - here));
  const checks = [
    aim('F1', f1(total), AIMS.f1, true),
    aim('strict F1', strictF1(total), AIMS.strict, true),
    aim('worst family', worst, AIMS.family, true),
    aim('loss by density', loss, AIMS.scaleLoss, false),
    aim('CPU ms', Number(at(cpuMs, 0.5)), AIMS.cpuMs, false),
  ];
  return checks.every((isReached) => isReached) ? 0 : 1;
}

function aim(what: string, value: number, wanted: number, isLeast: boolean): boolean {
  const isReached = isLeast ? value >= wanted : value <= wanted;
  say(
    `aim ${what} ${isLeast ? 'at least' : 'at most'} ${wanted}: ${Number(value.toFixed(3))}, ${isReached ? 'reached' : 'missed'}`,
  );
  return isReached;
}

function line(name: string, score: Score): string {
  const recalls = [...score.classes].map(
    ([of, { found, all }]) => `${of} ${(found / all).toFixed(3)} of ${all}`,
  );
  const ends = (score.ends.found / Math.max(1, score.ends.all)).toFixed(3);
  return `${name.padEnd(20)} F1 ${f1(score).toFixed(3)}  strict ${strictF1(score).toFixed(3)}  recall: ${recalls.join(', ')}  ends ${ends}`;
}

function at(values: readonly number[], share: number): string {
  const sorted = [...values].sort((a, b) => a - b);
  return (sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0).toFixed(0);
}

process.exitCode = await main();
