import { readFileSync } from 'node:fs';
import process from 'node:process';
import { detect } from '../../window/detect/detect.ts';
import type { Box } from '../../window/detect/element.ts';
import { decodePng } from '../../window/image/png/decode.ts';
import { TextReader } from '../../window/ocr/text-reader.ts';
import { confusionsOf } from './confusions.ts';
import { isAsShown, type Labelled, labelledScreens, matched, plain } from './labelled.ts';

const AIM = 0.93;
const MOST_CONFUSIONS = 20;
const NEAR_PX = 3;

interface Reading {
  screen: string;
  item: Labelled;
  read: string;
  /** The box ends where the text of the truth does. */
  isWhole: boolean;
}

const say = (text: string): void => void process.stdout.write(`${text}\n`);

/** Reads the texts of detected elements on the screens of a folder. @returns whether the aim is reached */
export async function readKnownScreens(folder: string, locale: string, isListed: boolean): Promise<boolean> {
  const reader = new TextReader();
  const readings: Reading[] = [];
  const timesMs: number[] = [];
  const screensMs: number[] = [];
  let labelledCount = 0;
  try {
    for (const { id, image, items } of labelledScreens(folder)) {
      const pixels = await decodePng(readFileSync(image));
      const boxes = detect(pixels).map(({ box }) => box);
      labelledCount += items.length;
      let screenMs = 0;
      for (const [b, item] of matched(boxes, items)) {
        const box = boxes[b];
        if (!box) continue;
        const startedAt = performance.now();
        const read = await reader.read(pixels, [box], locale);
        if (!read) throw new Error('text recognition is not installed: npm install tesseract.js');
        const ms = performance.now() - startedAt;
        screenMs += ms;
        // The first one starts the workers.
        if (readings.length > 0) timesMs.push(ms);
        readings.push({ screen: id, item, read: plain(read.texts[0] ?? ''), isWhole: isWhole(box, item) });
      }
      screensMs.push(screenMs);
    }
  } finally {
    await reader.close();
  }
  report(readings, labelledCount, timesMs, isListed);
  screensMs.sort((a, b) => a - b);
  say(
    `the texts of a screen take ${ms(screensMs, 0.5)} ms (median), ${ms(screensMs, 0.95)} ms (p95), one after the other`,
  );
  const fit = readings.filter(({ item }) => item.unfit === undefined);
  return share(fit, isShown) >= AIM;
}

function report(
  readings: readonly Reading[],
  labelledCount: number,
  timesMs: number[],
  isListed: boolean,
): void {
  const fit = readings.filter(({ item }) => item.unfit === undefined);
  const wrong = fit.filter((one) => !isShown(one));
  if (isListed)
    for (const { screen, item, read } of wrong)
      say(`${screen.padEnd(22)} ${JSON.stringify(item.text)} was read ${JSON.stringify(read)}`);
  say(`${labelledCount} items with a text, ${readings.length} of them were detected`);
  for (const reason of ['cut', 'wrapped', 'width'] as const)
    say(`${String(count(readings, reason)).padStart(5)} left out: ${REASONS[reason]}`);
  say(`${String(fit.length).padStart(5)} judged`);
  say(`exact as shown               ${percent(share(fit, isShown))}  (aim ${percent(AIM)})`);
  say(`exact as in the truth        ${percent(share(fit, isExact))}`);
  say(
    '  A page may show small letters as capitals; the truth holds the small ones. As shown, capitals that equal the',
  );
  say('  truth in capitals are exact.');
  say(`exact but for blanks         ${percent(share(fit, isButForBlanks))}`);
  say(`... and for upper/lower case ${percent(share(fit, isButForCase))}`);
  const whole = fit.filter(({ isWhole }) => isWhole);
  say(
    `exact where the box is right ${percent(share(whole, isShown))}  (${whole.length}; its ends within ${NEAR_PX} px)`,
  );
  say(`  but for blanks and case    ${percent(share(whole, isButForCase))}`);
  say(`exact, with the left out     ${percent(share(readings, isShown))}`);
  say(`nothing was read             ${percent(share(fit, ({ read }) => read === ''))}`);
  timesMs.sort((a, b) => a - b);
  say(`a box takes ${ms(timesMs, 0.5)} ms (median), ${ms(timesMs, 0.95)} ms (p95)`);
  const confusions = new Map<string, number>();
  for (const { item, read } of wrong)
    if (read !== '')
      for (const one of confusionsOf(item.text, read)) confusions.set(one, (confusions.get(one) ?? 0) + 1);
  const most = [...confusions].sort((a, b) => b[1] - a[1]).slice(0, MOST_CONFUSIONS);
  say(`confusions: ${most.map(([one, times]) => `${one} ${times}`).join('  ')}`);
}

const REASONS = {
  cut: 'the truth holds the beginning of a long text',
  wrapped: 'the truth holds the text of several lines',
  width: 'its width is not plausible for the text of the truth',
};

const isWhole = ({ x0, x1 }: Box, { boxes }: Labelled) =>
  boxes.some((box) => Math.abs(box.x0 - x0) <= NEAR_PX && Math.abs(box.x1 - x1) <= NEAR_PX);
const isShown = ({ item, read }: Reading) => isAsShown(item.text, read);
const isExact = ({ item, read }: Reading) => read === item.text;
const bare = (text: string) => text.replaceAll(' ', '');
const isButForBlanks = ({ item, read }: Reading) => bare(read) === bare(item.text);
const isButForCase = ({ item, read }: Reading) => bare(read).toLowerCase() === bare(item.text).toLowerCase();
const share = (readings: readonly Reading[], test: (one: Reading) => boolean) =>
  readings.length === 0 ? 0 : readings.filter(test).length / readings.length;
const count = (readings: readonly Reading[], reason: Labelled['unfit']) =>
  readings.filter(({ item }) => item.unfit === reason).length;
const percent = (value: number) => `${(value * 100).toFixed(1)} %`;
const ms = (sorted: readonly number[], at: number) =>
  (sorted[Math.min(sorted.length - 1, Math.floor(at * sorted.length))] ?? 0).toFixed(0);
