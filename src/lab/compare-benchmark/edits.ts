import type { Random } from '../../lib/random/seeded-random.ts';
import type { Box } from '../../window/compare/box.ts';
import { type Control, pick, type Screen, THEMES, whole } from './screen.ts';

export const EDITS = ['digit', 'caret', 'moved button', 'theme', 'dialog', 'lamp'] as const;
export type EditKind = (typeof EDITS)[number];

export interface Edit {
  after: Screen;
  /** What has changed by its geometry; undefined where only the pixels know (the shape of a digit). */
  regions: Box[] | undefined;
}

/** One change that a person would see; undefined when this screen has nothing of the kind. */
export function editScreen(kind: EditKind, before: Screen, random: Random): Edit | undefined {
  const of = (wanted: Control['kind']) => before.controls.filter((control) => control.kind === wanted);
  const instead = (old: Control, control: Control): Screen => ({
    ...before,
    controls: before.controls.map((one) => (one === old ? control : one)),
  });
  if (kind === 'digit') {
    const old = pick(random, of('value'));
    if (!old) return undefined;
    const places = [...old.text.matchAll(/\d/g)].map(({ index }) => index);
    const place = pick(random, places);
    const digit = String((Number(old.text[place]) + whole(random, 1, 9)) % 10);
    const text = old.text.slice(0, place) + digit + old.text.slice(place + 1);
    return { after: instead(old, { ...old, text }), regions: undefined };
  }
  if (kind === 'caret') {
    const field = pick(random, of('input'));
    if (!field) return undefined;
    const x0 = field.x + field.width - whole(random, 20, 40);
    const caret = { x0, y0: field.y + 5, x1: x0 + whole(random, 1, 2), y1: field.y + field.height - 5 };
    return { after: { ...before, caret }, regions: [caret] };
  }
  if (kind === 'moved button') {
    const old = pick(random, of('button'));
    if (!old) return undefined;
    const moved = {
      ...old,
      x: old.x + pick(random, [-1, 1]) * (old.width + whole(random, 14, 30)),
      y: old.y,
    };
    const isFree = before.controls.every((other) => other === old || !touches(moved, other));
    if (!isFree || moved.x < 0 || moved.x + moved.width > before.width) return undefined;
    return { after: instead(old, moved), regions: [boxOf(old), boxOf(moved)] };
  }
  if (kind === 'lamp') {
    const old = pick(random, of('lamp'));
    return old && { after: instead(old, { ...old, text: `${old.text}!` }), regions: [boxOf(old)] };
  }
  if (kind === 'theme') {
    const theme = pick(
      random,
      THEMES.filter((one) => one !== before.theme),
    );
    return { after: { ...before, theme }, regions: [{ x0: 0, y0: 0, x1: before.width, y1: before.height }] };
  }
  const [width, height] = [whole(random, 260, 420), whole(random, 140, 260)];
  const x0 = whole(random, 20, before.width - width - 20);
  const y0 = whole(random, 50, before.height - height - 20);
  const dialog = { x0, y0, x1: x0 + width, y1: y0 + height, title: 'Stop the run?' };
  return { after: { ...before, dialog }, regions: [dialog] };
}

const boxOf = ({ x, y, width, height }: Control): Box => ({ x0: x, y0: y, x1: x + width, y1: y + height });

function touches(a: Control, b: Control): boolean {
  const gap = 14;
  const width = b.kind === 'button' || b.kind === 'input' || b.kind === 'lamp' ? b.width : 190;
  return (
    a.x < b.x + width + gap &&
    b.x < a.x + a.width + gap &&
    a.y < b.y + b.height + gap &&
    b.y < a.y + a.height + gap
  );
}
