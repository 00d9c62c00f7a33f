import { type Random, seededRandom } from '../../lib/random/seeded-random.ts';
import { type Box, joinedBoxes, overlap } from '../../window/compare/box.ts';
import { compareFingerprints } from '../../window/compare/compare.ts';
import { fingerprintOf } from '../../window/fingerprint/fingerprint.ts';
import type { Pixels } from '../../window/image/pixels.ts';
import { needSharp } from '../../window/image/sharp.ts';
import { EDITS, type EditKind, editScreen } from './edits.ts';
import { HARMLESS, type HarmlessKind, harmlessCopy } from './harmless.ts';
import { makeScreen, type Screen, screenSvg } from './screen.ts';

export interface Row {
  kind: EditKind | HarmlessKind;
  judged: number;
  /** Changes that were seen, or copies that were taken for the same. */
  right: number;
  /** Of changes: those whose regions all have an IoU of 0.5 with true ones, and the other way round; the second: by blocks alone. */
  located: number;
  locatedByBlocks: number;
  /** Seeds of what was judged wrong, for the one that looks. */
  wrong: number[];
}

const GOOD_IOU = 0.5;

/** Judges drawn changes of all kinds, `count` in all. */
export async function judgeEdits(count: number, firstSeed: number): Promise<Row[]> {
  const rows = new Map(EDITS.map((kind) => [kind, emptyRow(kind)]));
  for (let done = 0, seed = firstSeed; done < count; seed++) {
    const random = seededRandom(seed);
    const kind = EDITS[done % EDITS.length] as EditKind;
    const screen = makeScreen(random);
    const edit = editScreen(kind, screen, random);
    if (!edit) continue;
    done++;
    const before = await drawn(screen);
    const exact = await drawn(edit.after);
    const truth = edit.regions ?? differing(before, exact);
    // Every third one was also saved as JPEG.
    const after = done % 3 === 0 ? await harmlessCopy('JPEG of quality 90', exact, random) : exact;
    const row = rows.get(kind) as Row;
    const [one, other] = [fingerprintOf(before), fingerprintOf(after)];
    const exactly = compareFingerprints(one, other, { before, after });
    row.judged++;
    if (exactly.match) row.wrong.push(seed);
    else row.right++;
    if (agree(exactly.changed, truth)) row.located++;
    else if (!exactly.match) row.wrong.push(seed);
    if (agree(compareFingerprints(one, other).changed, truth)) row.locatedByBlocks++;
  }
  return [...rows.values()];
}

/** Judges copies that show the same, `count` in all. */
export async function judgeHarmless(count: number, firstSeed: number): Promise<Row[]> {
  const rows = new Map(HARMLESS.map((kind) => [kind, emptyRow(kind)]));
  for (let done = 0; done < count; done++) {
    const random: Random = seededRandom(firstSeed + done);
    const kind = HARMLESS[done % HARMLESS.length] as HarmlessKind;
    const before = await drawn(makeScreen(random));
    const after = await harmlessCopy(kind, before, random);
    const row = rows.get(kind) as Row;
    row.judged++;
    if (compareFingerprints(fingerprintOf(before), fingerprintOf(after)).match) row.right++;
    else row.wrong.push(firstSeed + done);
  }
  return [...rows.values()];
}

export async function drawn(screen: Screen): Promise<Pixels> {
  const sharp = await needSharp('the benchmark');
  const data = await sharp(Buffer.from(screenSvg(screen)))
    .removeAlpha()
    .raw()
    .toBuffer();
  return { width: screen.width, height: screen.height, data };
}

function agree(found: readonly Box[], truth: readonly Box[]): boolean {
  const near = (box: Box, others: readonly Box[]) => others.some((other) => overlap(box, other) >= GOOD_IOU);
  return truth.every((box) => near(box, found)) && found.every((box) => near(box, truth));
}

/** Around all pixels that differ at all. */
function differing(before: Pixels, after: Pixels): Box[] {
  const boxes: Box[] = [];
  for (let at = 0; at < before.data.length; at += 3) {
    if ([0, 1, 2].every((channel) => before.data[at + channel] === after.data[at + channel])) continue;
    const [x, y] = [(at / 3) % before.width, Math.floor(at / 3 / before.width)];
    boxes.push({ x0: x, y0: y, x1: x + 1, y1: y + 1 });
  }
  return joinedBoxes(boxes, 6, 6);
}

function emptyRow(kind: Row['kind']): Row {
  return { kind, judged: 0, right: 0, located: 0, locatedByBlocks: 0, wrong: [] };
}
