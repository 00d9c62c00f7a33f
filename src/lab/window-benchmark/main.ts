import { readFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { messageOf } from '../../lib/errors/coded-error.ts';
import { detect } from '../../window/detect/detect.ts';
import type { Box } from '../../window/detect/element.ts';
import type { Pixels } from '../../window/image/pixels.ts';
import { decodePng } from '../../window/image/png/decode.ts';
import { type Contours, loadContours } from './opencv.ts';
import { f1Of, type Score, scoreOf, sumOf } from './score.ts';
import { type Screen, screensOf } from './truth.ts';

const USAGE = `Scores the detector on screens with known elements, beside OpenCV's contours in the same run.

  npm run bench:window -- FOLDER [--per-screen]

FOLDER holds <id>.png and <id>.gt.json; docs/window-detection.md says what they mean.
`;

const AIM_F1 = 0.9;
const AIM_STRICT_F1 = 0.75;

interface Run {
  name: string;
  find: (pixels: Pixels) => Box[];
  scores: Score[];
  /** Of each screen, decoding included. */
  timesMs: number[];
}

const say = (text: string): void => void process.stdout.write(`${text}\n`);

async function main(): Promise<number> {
  const folder = process.argv.slice(2).find((word) => !word.startsWith('--'));
  if (!folder) {
    process.stderr.write(USAGE);
    return 2;
  }
  const screens = screensOf(folder);
  const contours = await contoursOrReason();
  const runs: Run[] = [
    { name: 'svc-window', find: (pixels) => detect(pixels).map(({ box }) => box), scores: [], timesMs: [] },
  ];
  if (typeof contours === 'string') say(`OpenCV is left out: ${contours}`);
  else runs.push({ name: 'OpenCV contours', find: contours, scores: [], timesMs: [] });
  // The first image pays for unpacking the weights and for compiling.
  for (const { find } of runs) find(await decodePng(readFileSync((screens[0] as Screen).image)));
  for (const screen of screens) {
    for (const run of runs) {
      const started = performance.now();
      const boxes = run.find(await decodePng(readFileSync(screen.image)));
      run.timesMs.push(performance.now() - started);
      run.scores.push(scoreOf(screen, boxes));
      if (process.argv.includes('--per-screen'))
        say(`${screen.id.padEnd(30)} ${line(run.name, run.scores.at(-1) as Score)}`);
    }
  }
  say(`${screens.length} screens, ${cpus()[0]?.model ?? 'unknown processor'}`);
  for (const { name, scores, timesMs } of runs)
    say(`${line(name, sumOf(scores))}   median ${at(timesMs, 0.5)} ms, p95 ${at(timesMs, 0.95)} ms`);
  const { hits, wrong, missed, strictHits, strictWrong, strictMissed } = sumOf((runs[0] as Run).scores);
  const isGood =
    f1Of(hits, wrong, missed) >= AIM_F1 && f1Of(strictHits, strictWrong, strictMissed) >= AIM_STRICT_F1;
  say(`aim: F1 ${AIM_F1}, strict F1 ${AIM_STRICT_F1}: ${isGood ? 'reached' : 'missed'}`);
  return isGood ? 0 : 1;
}

function line(name: string, score: Score): string {
  const { hits, wrong, missed, strictHits, strictWrong, strictMissed, classes, ends } = score;
  const recalls = [...classes].map(([of, { found, all }]) => `${of} ${(found / all).toFixed(3)}`);
  const [f1, strict] = [f1Of(hits, wrong, missed), f1Of(strictHits, strictWrong, strictMissed)];
  return `${name.padEnd(16)} F1 ${f1.toFixed(3)}  strict ${strict.toFixed(3)}  recall: ${recalls.join(', ')}  ends ${(ends.found / Math.max(1, ends.all)).toFixed(3)}`;
}

function at(values: readonly number[], share: number): string {
  const sorted = [...values].sort((a, b) => a - b);
  return (sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0).toFixed(0);
}

/** The peer is there in development only. */
async function contoursOrReason(): Promise<Contours | string> {
  try {
    return await loadContours();
  } catch (error) {
    return messageOf(error);
  }
}

process.exitCode = await main();
