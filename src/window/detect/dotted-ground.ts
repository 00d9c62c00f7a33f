import type { ColourComponents } from './components.ts';
import type { Ink } from './ink.ts';

/** Largest dot, and how far apart dots stand. Pixels. */
const DOT = 4;
const LEAST_PITCH = 8;
const MOST_PITCH = 64;
/** By how much a dot stands beside its place: pitches of displays need not be whole pixels. */
const SLACK = 1;
/** So many make a ground, and of them this share stands apart from all other ink: points of numbers stand beside their digits. */
const LEAST_DOTS = 40;
const APART = 0.5;
/** Around it without other ink, by the shorter pitch: the points of a table are nearer to their digits, however wide the letters are spaced. */
const ROOM = 0.4;
const LEAST_ROOM = 4;

/**
 * Takes the dots of a dotted ground out of the ink, as drawing boards and old desktops have it: they would join the rows that stand on it.
 *
 * @param isInk 1 for each pixel that is ink @returns whether there was such a ground
 */
export function takeDottedGround(
  ink: Ink,
  { width, label: part }: Pick<ColourComponents, 'width' | 'label'>,
  isInk: Uint8Array,
): boolean {
  const dots: number[] = [];
  for (let l = 0; l < ink.count; l++)
    if (
      sideOf(ink.x0, ink.x1, l) <= DOT &&
      sideOf(ink.y0, ink.y1, l) <= DOT &&
      isOnOneSurface(ink, part, width, l)
    )
      dots.push(l);
  if (dots.length < LEAST_DOTS) return false;
  const across = neighboursAlong(dots, ink.x0, ink.y0);
  const down = neighboursAlong(dots, ink.y0, ink.x0);
  const ground = dots.filter((_, i) => across.isNext[i] && down.isNext[i]);
  if (ground.length < LEAST_DOTS) return false;
  const room = Math.max(LEAST_ROOM, Math.round(ROOM * Math.min(across.pitch, down.pitch)));
  if (ground.filter((l) => standsApart(ink, width, l, room)).length < APART * ground.length) return false;
  for (const l of ground)
    for (let y = ink.y0[l] as number; y < (ink.y1[l] as number); y++)
      for (let x = ink.x0[l] as number; x < (ink.x1[l] as number); x++)
        if (ink.label[y * width + x] === l) isInk[y * width + x] = 0;
  return true;
}

const sideOf = (from: Int32Array, to: Int32Array, l: number): number =>
  (to[l] as number) - (from[l] as number);

/** Whether all around it is one colour: round corners of tiles lie between two. */
function isOnOneSurface({ label, x0, y0, x1, y1 }: Ink, part: Int32Array, width: number, l: number): boolean {
  const height = label.length / width;
  let surface = -1;
  for (let y = Math.max(0, (y0[l] as number) - 1); y < Math.min(height, (y1[l] as number) + 1); y++)
    for (let x = Math.max(0, (x0[l] as number) - 1); x < Math.min(width, (x1[l] as number) + 1); x++) {
      const own = part[y * width + x] as number;
      if (label[y * width + x] === l || own === surface) continue;
      if (surface >= 0) return false;
      surface = own;
    }
  return true;
}

/** The distance that most have from the next in their line, and 1 for each dot that has another at it. @param at place along the line @param line place of the line */
function neighboursAlong(
  dots: readonly number[],
  at: Int32Array,
  line: Int32Array,
): { pitch: number; isNext: Uint8Array } {
  const lines = new Map<number, number[]>();
  dots.forEach((l, i) => {
    for (let y = (line[l] as number) - SLACK; y <= (line[l] as number) + SLACK; y++) {
      const own = lines.get(y);
      if (own) own.push(i);
      else lines.set(y, [i]);
    }
  });
  const placeOf = (i: number): number => at[dots[i] as number] as number;
  const counts = new Uint32Array(MOST_PITCH + SLACK + 2);
  const next: { i: number; j: number; distance: number }[] = [];
  for (const [y, own] of lines) {
    own.sort((i, j) => placeOf(i) - placeOf(j) || i - j);
    own.forEach((j, k) => {
      const i = own[k - 1];
      if (i === undefined || (line[dots[j] as number] !== y && line[dots[i] as number] !== y)) return;
      const distance = placeOf(j) - placeOf(i);
      if (distance > MOST_PITCH + SLACK) return;
      next.push({ i, j, distance });
      counts[distance] = (counts[distance] as number) + 1;
    });
  }
  const isNext = new Uint8Array(dots.length);
  const pitch = counts.indexOf(Math.max(...counts.subarray(LEAST_PITCH, MOST_PITCH + 1)), LEAST_PITCH);
  for (const { i, j, distance } of next)
    if (Math.abs(distance - pitch) <= SLACK) {
      isNext[i] = 1;
      isNext[j] = 1;
    }
  return { pitch, isNext };
}

/** Whether there is no other ink around. */
function standsApart({ label, x0, y0, x1, y1 }: Ink, width: number, l: number, room: number): boolean {
  const height = label.length / width;
  for (let y = Math.max(0, (y0[l] as number) - room); y < Math.min(height, (y1[l] as number) + room); y++)
    for (let x = Math.max(0, (x0[l] as number) - room); x < Math.min(width, (x1[l] as number) + room); x++) {
      const other = label[y * width + x] as number;
      if (other >= 0 && other !== l) return false;
    }
  return true;
}
