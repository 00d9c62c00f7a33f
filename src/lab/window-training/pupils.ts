import { createHash } from 'node:crypto';

/** Most screens of one family that are learned from: no family shall outweigh the others. Those of no toolkit are all different. */
const MOST_OF_FAMILY = 4;
const MOST_GENERATED = 25;

/** Those of some screens that are learned from: of each family some, whatever others there are. */
export function pupilsOf<S extends { id: string; family: string }>(screens: readonly S[]): S[] {
  const families = new Map<string, S[]>();
  for (const screen of screens) families.set(screen.family, [...(families.get(screen.family) ?? []), screen]);
  const chosen = [...families].flatMap(([family, own]) => {
    const ranked = own
      .map((screen) => ({ screen, rank: createHash('sha256').update(screen.id).digest('hex') }))
      .sort((a, b) => (a.rank < b.rank ? -1 : 1));
    return ranked.slice(0, family.startsWith('generated') ? MOST_GENERATED : MOST_OF_FAMILY);
  });
  return chosen.map(({ screen }) => screen).sort((a, b) => (a.id < b.id ? -1 : 1));
}
