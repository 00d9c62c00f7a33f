import type { Box } from '../detect/element.ts';
import type { Pixels } from '../image/pixels.ts';
import type { TextCrop } from './crop.ts';
import { type SeenLine, signOf } from './glyph/read-line.ts';

/** Ink beside or between letters that a reading leaves out: a faint minus, a faint point, a prefix in another colour. */
export interface UnreadInk extends Box {
  /** Between the letters; else it lies at one of their ends, in whatever is there. */
  isInside: boolean;
  /** Fainter than what is read as a letter. */
  isFaint: boolean;
}

/** Ink of the crop that was read, of 255; what lies softly around it was read with it. */
const READ = 85;
/** By the height of the digits: what is looked at around them. */
const [BESIDE, ABOVE] = [2, 0.9];
/** By the height of the digits: how far from them a sign may stand, and how far above and below them it may reach. */
const REACH = 0.8;
const [OVER, UNDER] = [0.3, 0.55];
/** By the height of the digits: a rule or a track is longer, and lower. */
const [LONG, LOW] = [1.2, 0.3];
/** Least difference from the ground that is ink, levels, and by how much it is more than the noise around. */
const LEAST = 4;
const NOISE = 3;
/** Levels of noise from which ink of fewer pixels tells nothing. */
const NOISY = 1;
const LEAST_PIECE = 3;
/** So many smaller pieces around a text are noise; and so is what is not this much stronger than the third of them, fewer than which may be signs. */
const SPECKS = 8;
const THIRD = 2;
const ABOVE_SPECKS = 1.5;
/** Between two columns beside each other, where the ground ends, levels; and of the rows above, beside and below the letters, those that have it. */
const EDGE = 8;
const EDGE_ROWS = 0.5;
/** Pixels of a row that tell the colour of its ground. */
const LEAST_GROUND = 4;
/** Of its pixels the ground has most. */
const QUIET = 0.8;
/** Height of a point by that of the digits; how far below it a tail begins, pixels; and its ink by that of the point. */
const POINT = 0.2;
const TAIL = 0.5;
const TAIL_SHARE = 0.15;
/** How far the soft edge of a letter may reach beside it: pixels, and by the height of the digits. */
const SOFT = [1, 0.08] as const;
/** Ink that hangs together with a letter is a sign of its own where it is so much stronger than at its weakest link. */
const STRONGER = 1.5;

/**
 * What was not read around a line of letters, boxes of the image. No part of it: lines that go on above or below the letters, rules and
 * underlines.
 */
export function unreadInk(image: Pixels, crop: TextCrop, { letters, measure }: SeenLine): UnreadInk[] {
  const onImage = (x: number, y: number) => ({ x: crop.left + x / crop.scale, y: crop.top + y / crop.scale });
  const first = onImage(Math.min(...letters.map(({ box }) => box.x0)), measure.baseline - measure.height);
  const last = onImage(Math.max(...letters.map(({ box }) => box.x1)), measure.baseline);
  const height = last.y - first.y;
  const area = {
    x0: Math.max(0, Math.floor(first.x - BESIDE * height)),
    y0: Math.max(0, Math.floor(first.y - ABOVE * height)),
    x1: Math.min(image.width, Math.ceil(last.x + BESIDE * height)),
    y1: Math.min(image.height, Math.ceil(last.y + ABOVE * height)),
  };
  const [width, high] = [area.x1 - area.x0, area.y1 - area.y0];
  const isRead = readIn(crop, area);
  const rows = {
    y0: Math.max(0, Math.floor(first.y - OVER * height) - area.y0),
    y1: Math.min(high, Math.ceil(last.y + OVER * height) - area.y0),
  };
  const near = withinEdges(
    image,
    { ...area, y0: rows.y0 + area.y0, y1: rows.y1 + area.y0 },
    { y0: Math.round(first.y), y1: Math.round(last.y) },
    { from: Math.floor(first.x) - area.x0, to: Math.ceil(last.x) - area.x0 },
    {
      from: Math.max(0, Math.floor(first.x - REACH * height) - area.x0),
      to: Math.min(width, Math.ceil(last.x + REACH * height) - area.x0),
    },
  );
  const strength = strengthOf(image, area, isRead, near);
  const noise = noiseOf(strength, isRead, width, { x0: near.from, x1: near.to, ...rows });
  const least = Math.max(LEAST, NOISE * noise);
  const links = linksOf(strength, isRead, width);
  const ofLetters = new Uint8Array(width);
  const soft = SOFT[0] + Math.ceil(SOFT[1] * height);
  for (const { box } of letters)
    ofLetters.fill(
      1,
      Math.max(0, Math.round(onImage(box.x0, 0).x) - soft - area.x0),
      Math.max(0, Math.round(onImage(box.x1, 0).x) + soft - area.x0),
    );
  // Within a letter, ink that hangs on it is a thin stroke of it.
  const isUnread = (place: number) =>
    !isRead[place] &&
    (strength[place] as number) >=
      least + (ofLetters[place % width] ? STRONGER * (links[place] as number) : 0);
  let ink = 0;
  for (let place = 0; place < strength.length; place++)
    if (isRead[place]) ink = Math.max(ink, strength[place] as number);
  const tails = letters.flatMap((letter) => {
    if (signOf(letter) !== '.') return [];
    const from = onImage(letter.box.x0, 0).x;
    const to = onImage(letter.box.x1, 0).x;
    return hasTail(Math.floor(from) - area.x0, Math.ceil(to) - area.x0)
      ? [{ x0: from, y0: last.y, x1: to, y1: last.y + UNDER * height, isInside: true, isFaint: true }]
      : [];
  });
  const unread = piecesWhere(isUnread, width, high, strength)
    .map(({ most, count, ...box }) => ({
      x0: box.x0 + area.x0,
      y0: box.y0 + area.y0,
      x1: box.x1 + area.x0,
      y1: box.y1 + area.y0,
      most,
      count,
    }))
    .filter(({ x0, y0, x1, y1 }) => {
      if (y0 < first.y - OVER * height || y1 > last.y + UNDER * height) return false;
      if (y1 <= first.y || y0 >= Math.round(last.y)) return false;
      if (x1 <= area.x0 + near.from || x0 >= area.x0 + near.to) return false;
      return !(x1 - x0 > LONG * height && y1 - y0 < LOW * height);
    });
  const specks = unread
    .flatMap(({ most, count }) => (count < LEAST_PIECE ? [most] : []))
    .sort((a, b) => b - a);
  const signal = specks.length < SPECKS ? 0 : ABOVE_SPECKS * (specks[THIRD] as number);
  const pieces = unread
    .filter(({ most, count }) => most >= signal && (noise < NOISY || count >= LEAST_PIECE))
    .map(({ most, count: _, ...box }) => ({
      ...box,
      isInside: box.x1 > first.x && box.x0 < last.x,
      isFaint: most < (READ / 255) * ink,
    }));
  return [...tails, ...pieces];

  /** Whether a point has ink below the feet of the line: the tail of a faint comma. */
  function hasTail(from: number, to: number): boolean {
    const [foot, end] = [last.y - area.y0, Math.min(high, last.y - area.y0 + UNDER * height)];
    let [own, below] = [0, 0];
    for (let y = Math.max(0, Math.floor(foot - POINT * height)); y < end; y++)
      for (let x = Math.max(0, from - 1); x < Math.min(width, to + 1); x++) {
        const here = strength[y * width + x] as number;
        if (y < foot) own = Math.max(own, here);
        else if (y >= foot + TAIL) below = Math.max(below, here);
      }
    return below >= Math.max(least, TAIL_SHARE * own);
  }
}

/**
 * The columns around a line of letters up to where its ground ends, as a field or a tile does: there most rows have another colour than in
 * the column before, also above the letters and below them, where no stem of a letter is. What lies beyond is of something else.
 *
 * @param rows those of the letters, with some above and below @param inner those of the letters alone
 */
function withinEdges(
  { width: all, data }: Pixels,
  rows: Box,
  inner: { y0: number; y1: number },
  letters: Columns,
  most: Columns,
): Columns {
  const isEdge = (x: number, before: number): boolean => {
    const changes = (y0: number, y1: number): number => {
      let count = 0;
      for (let y = y0; y < y1; y++) {
        const [here, there] = [(y * all + rows.x0 + x) * 3, (y * all + rows.x0 + before) * 3];
        if ([0, 1, 2].some((c) => Math.abs((data[here + c] as number) - (data[there + c] as number)) >= EDGE))
          count++;
      }
      return y1 > y0 ? count / (y1 - y0) : 0;
    };
    return (
      changes(rows.y0, inner.y0) >= EDGE_ROWS &&
      changes(inner.y1, rows.y1) >= EDGE_ROWS &&
      changes(inner.y0, inner.y1) >= EDGE_ROWS
    );
  };
  let [from, to] = [letters.from, letters.to];
  while (from > most.from && !isEdge(from - 1, from)) from--;
  while (to < most.to && !isEdge(to, to - 1)) to++;
  return { from: Math.max(from, most.from), to: Math.min(to, most.to) };
}

interface Columns {
  from: number;
  /** Exclusive. */
  to: number;
}

/** Pixels of an area whose ink was read. */
function readIn({ picture, scale, left, top }: TextCrop, { x0, y0, x1, y1 }: Box): Uint8Array {
  const width = x1 - x0;
  const isRead = new Uint8Array(width * (y1 - y0));
  for (let y = y0; y < y1; y++)
    for (let x = x0; x < x1; x++) {
      const [column, row] = [Math.floor((x + 0.5 - left) * scale), Math.floor((y + 0.5 - top) * scale)];
      if (column < 0 || row < 0 || column >= picture.width || row >= picture.height) continue;
      if (255 - (picture.data[(row * picture.width + column) * 3] as number) >= READ)
        isRead[(y - y0) * width + x - x0] = 1;
    }
  return isRead;
}

/** Difference of each pixel from the ground of its row: the ground may be shaded from top to bottom. Levels, of the channel that differs most. */
function strengthOf(
  { width: all, data }: Pixels,
  { x0, y0, x1, y1 }: Box,
  isRead: Uint8Array,
  { from, to }: { from: number; to: number },
): Uint8Array {
  const width = x1 - x0;
  const strength = new Uint8Array(isRead.length);
  // Soft edges of letters are no ground: in a row of many letters they are more than that.
  const isEdge = isRead.map((own, place) =>
    own || around(place, width, isRead.length).some((next) => isRead[next]) ? 1 : 0,
  );
  for (let y = 0; y < y1 - y0; y++) {
    const at = (x: number, c: number) => data[((y0 + y) * all + x0 + x) * 3 + c] as number;
    const open = columnsWithout(isEdge, y * width, from, to);
    const columns = open.length >= LEAST_GROUND ? open : columnsWithout(isRead, y * width, from, to);
    const ground = [0, 1, 2].map((c) => {
      const values = columns.map((x) => at(x, c)).sort((a, b) => a - b);
      return values[values.length >> 1] ?? 0;
    });
    for (let x = 0; x < width; x++)
      for (let c = 0; c < 3; c++)
        strength[y * width + x] = Math.max(
          strength[y * width + x] as number,
          Math.abs(at(x, c) - (ground[c] as number)),
        );
  }
  return strength;
}

function columnsWithout(mask: Uint8Array, row: number, from: number, to: number): number[] {
  const columns: number[] = [];
  for (let x = from; x < to; x++) if (!mask[row + x]) columns.push(x);
  return columns;
}

/** What most pixels of the ground around the letters differ from it, levels. */
function noiseOf(strength: Uint8Array, isRead: Uint8Array, width: number, lines: Box): number {
  const values: number[] = [];
  for (let y = lines.y0; y < lines.y1; y++)
    for (let x = lines.x0; x < lines.x1; x++) {
      const place = y * width + x;
      if (!isRead[place] && !around(place, width, isRead.length).some((next) => isRead[next]))
        values.push(strength[place] as number);
    }
  return values.sort((a, b) => a - b)[Math.floor(QUIET * values.length)] ?? 0;
}

/** Of each pixel the weakest one on the strongest way from it to ink that was read. */
function linksOf(strength: Uint8Array, isRead: Uint8Array, width: number): Uint8Array {
  const links = new Uint8Array(strength.length);
  const waiting: number[][] = Array.from({ length: 256 }, () => []);
  isRead.forEach((one, place) => {
    if (one) waiting[255]?.push(place);
  });
  const isDone = new Uint8Array(strength.length);
  for (let level = 255; level > 0; level--) {
    const now = waiting[level] as number[];
    for (let place = now.pop(); place !== undefined; place = now.pop()) {
      if (isDone[place]) continue;
      isDone[place] = 1;
      links[place] = level;
      for (const next of around(place, width, strength.length))
        if (!isDone[next]) waiting[Math.min(level, strength[next] as number)]?.push(next);
    }
  }
  return links;
}

function around(place: number, width: number, count: number): number[] {
  const [x, found] = [place % width, [] as number[]];
  for (const row of [place - width, place, place + width])
    for (const step of [-1, 0, 1]) {
      const next = row + step;
      if (next !== place && next >= 0 && next < count && x + step >= 0 && x + step < width) found.push(next);
    }
  return found;
}

function piecesWhere(
  isInk: (place: number) => boolean,
  width: number,
  height: number,
  strength: Uint8Array,
): (Box & { most: number; count: number })[] {
  const isSeen = new Uint8Array(width * height);
  const pieces: (Box & { most: number; count: number })[] = [];
  for (let start = 0; start < isSeen.length; start++) {
    if (isSeen[start] || !isInk(start)) continue;
    const piece = { x0: width, y0: height, x1: 0, y1: 0, most: 0, count: 0 };
    const places = [start];
    isSeen[start] = 1;
    for (let place = places.pop(); place !== undefined; place = places.pop()) {
      const [x, y] = [place % width, Math.floor(place / width)];
      piece.x0 = Math.min(piece.x0, x);
      piece.y0 = Math.min(piece.y0, y);
      piece.x1 = Math.max(piece.x1, x + 1);
      piece.y1 = Math.max(piece.y1, y + 1);
      piece.count++;
      piece.most = Math.max(piece.most, strength[place] as number);
      for (const next of around(place, width, isSeen.length))
        if (!isSeen[next] && isInk(next)) {
          isSeen[next] = 1;
          places.push(next);
        }
    }
    pieces.push(piece);
  }
  return pieces;
}
