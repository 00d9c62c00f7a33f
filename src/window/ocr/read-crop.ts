import type { Worker as OcrWorker, PSM } from 'tesseract.js';
import type { Box } from '../detect/element.ts';
import { encodePng } from '../image/png/encode.ts';
import type { Contrast } from './contrast.ts';
import type { CropOptions, TextCrop } from './crop.ts';
import { inkOf } from './crop-ink.ts';
import { showsNumber } from './left-out.ts';
import { columnsOf } from './lines.ts';
import { isColon } from './marks.ts';
import { piecesOf } from './pieces.ts';
import { type ReadWord, shownText } from './shown-text.ts';
import { clear } from './signs.ts';
import { hasUnreadRows } from './unread-rows.ts';
import { byNeighbours } from './wording.ts';

/** Of 100; below it the text is a guess. */
const SURE = 50;
/** Of 100, when two looks agree. */
const SURE_TOGETHER = 15;
/** Of 100; below it the text is looked at once more. */
const CERTAIN = 80;
/** Lines of the second look, pixels. */
const SECOND_LINE_HEIGHT = 44;
/** Of 100; a sign beside the text, read as a word, is less certain. */
const WORD = 75;
/** Belongs to the text: "< Previous", "100 %". */
const MARK = /^(?:[<>]{1,2}|%)$/;
/** Icons are read as these as well. */
const QUOTE = /^[«»]$/;
/** Closes a tab when it stands apart at its end. */
const CLOSES = /^[xX×]$/;
/** Times as wide as high; such a text is one word. */
const SHORT = 2;
/** Times as wide as high, at most, of a sign of several pieces such as =. */
const STACKED = 1.6;
/** Of a full stop with its soft edge, pixels, and how far below the middle of its control it lies. */
const STOP_SIDE = 6;
const STOP_BELOW = 2;
const LINE = '7' as PSM;
const ONE_WORD = '8' as PSM;
/** Compression of the crops; they are not kept. */
const FAST = 1;

const ENDS = ['left', 'right'] as const;
type End = (typeof ENDS)[number];

interface Reading {
  text: string;
  /** 0..100. */
  confidence: number;
}

const NOTHING: Reading = { text: '', confidence: 0 };

/**
 * Text of one line; null: none that is sure. Two looks at most, one more with a sign beside it, with a badge in it, and for one letter.
 *
 * @param isConfirmed whether another reader has the same text as one that is a guess
 */
export async function readCrop(
  worker: OcrWorker,
  first: TextCrop,
  crop: (options: CropOptions) => TextCrop | undefined,
  isConfirmed: (guess: string) => boolean = () => false,
): Promise<string | null> {
  const pieces = piecesOf(inkOf(first.picture));
  if (isColon(pieces)) return ':';
  if (isEqualsSign(pieces)) return '=';
  if (isFullStop(first)) return '.';
  const words = await recognized(worker, first);
  const without = { left: isSign(words[0], first, 'left'), right: isSign(words.at(-1), first, 'right') };
  let best = readingOf(words, first);
  if (words.length > 1 && (without.left || without.right)) {
    // An icon may look like a number, and a number that nobody is certain of like an icon.
    if (ENDS.some((end) => without[end] && showsNumber(inkBeside(first, end)))) return null;
    const bare = crop({ without });
    if (bare) best = readingOf(await recognized(worker, bare), bare);
  }
  if (best.confidence >= CERTAIN) return best.text;
  const badge = crop({ badge: true });
  const inBadge = badge && readingOf(await recognized(worker, badge, ONE_WORD), badge);
  if (inBadge && inBadge.text !== '' && inBadge.confidence >= SURE) return inBadge.text;
  const larger = crop({ without, lineHeight: SECOND_LINE_HEIGHT });
  if (!larger) return given(best);
  const isShort = larger.width < SHORT * larger.height;
  // What is read as more is wrong.
  const isOne = isOneLetter(larger);
  if (isOne && best.text.length > 1) best = NOTHING;
  for (const mode of isShort ? [ONE_WORD, ...(isOne ? [LINE] : [])] : [undefined]) {
    const other = readingOf(await recognized(worker, larger, mode), larger);
    if (isOne && other.text.length > 1) continue;
    const together = Math.max(best.confidence, other.confidence);
    if (other.text === best.text && best.text !== '' && together >= SURE_TOGETHER) return best.text;
    if (other.confidence > best.confidence) best = other;
  }
  return given(best);

  function given({ text, confidence }: Reading): string | null {
    return text !== '' && (confidence >= SURE || isConfirmed(text)) ? text : null;
  }
}

/** By its height, how wide a bar is at least; and by its width, how far its ends may be off those of the other one. */
const FLAT = 2.5;
const LEVEL = 0.1;

/** Two bars of one width above each other, which the recognizer takes for a dash as well. */
export function isEqualsSign(pieces: readonly Box[]): boolean {
  const [upper, lower, ...more] = [...pieces].sort((a, b) => a.y0 - b.y0);
  if (!upper || !lower || more.length > 0) return false;
  const wide = upper.x1 - upper.x0;
  return (
    lower.y0 > upper.y1 &&
    [upper, lower].every(({ x0, y0, x1, y1 }) => x1 - x0 >= FLAT * (y1 - y0)) &&
    Math.abs(upper.x0 - lower.x0) <= LEVEL * wide &&
    Math.abs(upper.x1 - lower.x1) <= LEVEL * wide
  );
}

/** One column of ink, no wider than one letter is. */
export function isOneLetter({ picture, width, height }: TextCrop): boolean {
  const ink = inkOf(picture);
  return columnsOf(ink).length === 1 && width < (piecesOf(ink).length > 1 ? STACKED : 1) * height;
}

/** One dot below the middle of its control, too little for the recognizer. */
function isFullStop({ picture, width, height, below }: TextCrop): boolean {
  return (
    Math.max(width, height) <= STOP_SIDE &&
    Math.abs(width - height) <= 1 &&
    below >= STOP_BELOW &&
    piecesOf(inkOf(picture)).length === 1
  );
}

interface Word extends Reading, ReadWord {}

async function recognized(worker: OcrWorker, crop: TextCrop, mode = LINE): Promise<Word[]> {
  // As parameters of the one call: to set them before is a second message there and back.
  const options = { tessedit_pageseg_mode: mode } as object;
  const { data } = await worker.recognize(encodePng(crop.picture, FAST), options, {
    text: false,
    blocks: true,
  });
  return (data.blocks ?? [])
    .flatMap(({ paragraphs }) => paragraphs)
    .flatMap(({ lines }) => lines)
    .flatMap(({ words }) => words)
    .map(({ text, confidence, bbox, symbols }) => ({ text: text.trim(), confidence, bbox, symbols }))
    .filter(({ text }) => text !== '');
}

/** Certain as its letters are. */
function readingOf(words: readonly Word[], crop: TextCrop): Reading {
  const letters = words.reduce((sum, { text }) => sum + text.length, 0);
  if (
    letters === 0 ||
    hasUnreadRows(
      words.map(({ bbox }) => bbox),
      inkOf(crop.picture),
    )
  )
    return NOTHING;
  const confidence = words.reduce((sum, word) => sum + word.confidence * word.text.length, 0) / letters;
  return {
    text: byNeighbours(shownText(words, crop.picture)),
    confidence,
  };
}

/** An icon behind a wide gap is read as a word that nobody is certain of; a number there stays. */
function isSign(word: Word | undefined, crop: TextCrop, end: End): boolean {
  const at = crop.signs[end];
  if (!word || at === undefined) return false;
  const isBeside = end === 'left' ? word.bbox.x0 < at - 2 : word.bbox.x1 > at + 2;
  if (!isBeside || MARK.test(word.text)) return false;
  if (QUOTE.test(word.text) && word.confidence >= SURE) return false;
  if (end === 'right' && CLOSES.test(word.text)) return true;
  // In type of one width a colon stands apart.
  if (isColon(piecesOf(inkBeside(crop, end)))) return false;
  return word.confidence < WORD || !/[\p{L}\p{N}]/u.test(word.text);
}

/** What stands at an end of a text, behind a wide gap. */
function inkBeside({ picture, signs }: TextCrop, end: End): Contrast {
  const ink = inkOf(picture);
  const at = signs[end] ?? 0;
  clear(ink, ...(end === 'left' ? ([at, ink.width] as const) : ([0, at] as const)));
  return ink;
}
