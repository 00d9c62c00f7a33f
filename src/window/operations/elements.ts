import type { Speaker } from '../describe/locale.ts';
import type { Overlooked } from '../detect/detect.ts';
import type { Pixels } from '../image/pixels.ts';
import type { NoText } from '../ocr/read-text.ts';
import type { WindowContext } from './context.ts';
import { detectElements } from './detector.ts';
import { type IdentifiedElement, identified } from './identify.ts';
import type { Skipped } from './request.ts';

/** An element as documents show it (section 3, "detect"). */
export interface ElementDocument {
  id: string;
  role: string;
  bbox: [x0: number, y0: number, x1: number, y1: number];
  bbox_norm: number[];
  center: { x: number; y: number };
  width: number;
  height: number;
  color: string;
  confidence: number;
  label: string;
  text: string | null;
  location: string;
  parent: string | null;
  metadata: { source: string; text_reason?: NoText };
}

/** Roles whose own picture is their text. */
const READ: ReadonlySet<string> = new Set([
  'titlebar',
  'button',
  'input',
  'checkbox',
  'text',
  'link',
  'tab',
  'menu',
]);
/** Elements of one picture that are read. No clock bounds the reading: the same picture has the same texts on every machine. */
export const MOST_READ = 160;

export interface FoundElements {
  elements: ElementDocument[];
  byRole: Record<string, number>;
  description: string;
  skipped: Skipped[];
}

/** Elements of a picture with their texts. @throws WindowError `component_missing` */
export async function findElements(
  context: WindowContext,
  pixels: Pixels,
  speaker: Speaker,
  ocr: boolean,
): Promise<FoundElements> {
  const { elements: detected, overlooked } = await detectElements(pixels);
  const found = identified(detected);
  const { texts, skipped } = ocr
    ? await readTexts(context, pixels, found, speaker.locale)
    : { texts: new Map<string, TextOf>(), skipped: [OCR_LEFT_OUT] };
  const elements = found.map((element) => document(element, pixels, texts.get(element.id), speaker));
  const byRole: Record<string, number> = {};
  for (const { role } of elements) byRole[role] = (byRole[role] ?? 0) + 1;
  return {
    elements,
    byRole,
    description: describe(pixels, elements, byRole, speaker),
    skipped: [...skipped, ...skippedOf(overlooked)],
  };
}

const OVERLOOKED: Readonly<Record<keyof Overlooked, readonly [one: string, more: string]>> = {
  rows: ['part of a long row was not joined', 'parts of long rows were not joined'],
  crowded: [
    'piece of ink was not compared with all of its neighbours',
    'pieces of ink were not compared with all of their neighbours',
  ],
  borders: [
    'border was not searched for letters that touch it',
    'borders were not searched for letters that touch them',
  ],
  displays: [
    'surface was not searched for seven-segment digits',
    'surfaces were not searched for seven-segment digits',
  ],
  unordered: [
    'element is ordered by its line, whatever column it stands in',
    'elements are ordered line by line, whatever columns they stand in',
  ],
};

/** What a picture has too much of for the bounds on the work. */
export const skippedOf = (overlooked: Overlooked): Skipped[] =>
  (Object.keys(OVERLOOKED) as (keyof Overlooked)[]).flatMap((what) => {
    const count = overlooked[what];
    const reason = `${count} ${OVERLOOKED[what][count === 1 ? 0 : 1]}: the picture has too many`;
    return count > 0 ? [{ part: 'detection', reason }] : [];
  });

/** What a request with `ocr: false` has done without. */
export const OCR_LEFT_OUT: Skipped = { part: 'ocr', reason: 'the request has left it out' };

/** Text of an element, and why it has none. */
interface TextOf {
  text: string | null;
  reason: NoText | undefined;
}

/** Texts by element. */
export async function readTexts(
  context: WindowContext,
  pixels: Pixels,
  elements: readonly IdentifiedElement[],
  language: string,
  most = MOST_READ,
): Promise<{ texts: Map<string, TextOf>; skipped: Skipped[] }> {
  const readable = elements.filter(({ role }) => READ.has(role));
  const chosen = readable.slice(0, most);
  const read = await context.texts.read(
    pixels,
    chosen.map(({ box }) => box),
    language,
  );
  if (!read)
    return { texts: new Map(), skipped: [{ part: 'ocr', reason: 'text recognition is not installed' }] };
  const skipped: Skipped[] = [];
  const left = readable.length - chosen.length;
  if (left > 0)
    skipped.push({ part: 'ocr', reason: `${left} elements beyond the first ${most} were not read` });
  if (read.unread > 0)
    skipped.push({
      part: 'ocr',
      reason: `${read.unread} elements were not read: the texts before them fill the area that is read of one image`,
    });
  const texts = chosen.map(({ id }, index): [string, TextOf] => [
    id,
    { text: read.texts[index] ?? null, reason: read.reasons[index] },
  ]);
  return { texts: new Map(texts), skipped };
}

function document(
  { id, role, box, color, confidence, parent, source }: IdentifiedElement,
  { width, height }: Pixels,
  found: TextOf | undefined,
  { say }: Speaker,
): ElementDocument {
  const text = found?.text ?? null;
  const { x0, y0, x1, y1 } = box;
  const round4 = (value: number) => Math.round(value * 10_000) / 10_000;
  const center = { x: (x0 + x1) / 2, y: (y0 + y1) / 2 };
  return {
    id,
    role,
    bbox: [x0, y0, x1, y1],
    bbox_norm: [x0 / width, y0 / height, x1 / width, y1 / height].map(round4),
    center,
    width: x1 - x0,
    height: y1 - y0,
    color: color.toUpperCase(),
    confidence: round4(confidence),
    label: text ?? say(`role.${role}`),
    text,
    location: locationOf(center.x / width, center.y / height),
    parent,
    metadata: { source, ...(found?.reason === undefined ? {} : { text_reason: found.reason }) },
  };
}

/** By thirds of the picture. */
export function locationOf(x: number, y: number): string {
  const third = (value: number) => Math.min(2, Math.floor(value * 3));
  const words = [['top', '', 'bottom'][third(y)], ['left', '', 'right'][third(x)]].filter(
    (word) => word !== '',
  );
  return words.length > 0 ? words.join('-') : 'center';
}

const BULLETS = 12;

function describe(
  { width, height }: Pixels,
  elements: readonly ElementDocument[],
  byRole: Readonly<Record<string, number>>,
  { say }: Speaker,
): string {
  if (elements.length === 0) return say('elements.none', { width, height });
  const roles = Object.entries(byRole)
    .sort(([a, countA], [b, countB]) => countB - countA || (a < b ? -1 : 1))
    .map(([role, count]) => say('elements.role', { role: say(`role.${role}`), amount: count }))
    .join(', ');
  const lines = [say('elements.header', { count: elements.length, width, height, roles })];
  for (const { role, text, location, bbox, width: w, height: h } of elements.slice(0, BULLETS)) {
    const label = text === null ? '' : `"${text}", `;
    const [x, y] = bbox;
    lines.push(
      say('elements.bullet', {
        role: say(`role.${role}`),
        label,
        place: say(`place.${location}`),
        w,
        h,
        x,
        y,
      }),
    );
  }
  const more = elements.length - BULLETS;
  if (more > 0) lines.push(say('elements.more', { count: more }));
  return lines.join('\n');
}
