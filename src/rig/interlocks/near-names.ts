const MOST = 3;
/** Part of the letter pairs that two names must share. */
const NEAR = 0.6;

/** The names most like a misspelt one, best first; at most three. */
export function nearNames(word: string, names: readonly string[]): string[] {
  const wanted = pairsOf(word);
  return names
    .map((name) => ({ name, likeness: likeness(wanted, pairsOf(name)) }))
    .filter((one) => one.likeness >= NEAR)
    .sort((a, b) => b.likeness - a.likeness)
    .slice(0, MOST)
    .map((one) => one.name);
}

/** Dice's coefficient of the pairs of neighbouring letters, 0..1. */
function likeness(a: readonly string[], b: readonly string[]): number {
  const rest = [...b];
  let common = 0;
  for (const pair of a) {
    const at = rest.indexOf(pair);
    if (at < 0) continue;
    common++;
    rest.splice(at, 1);
  }
  return (2 * common) / (a.length + b.length);
}

function pairsOf(word: string): string[] {
  const letters = `^${word.toLowerCase().replaceAll('_', '-')}$`;
  return Array.from({ length: letters.length - 1 }, (_, i) => letters.slice(i, i + 2));
}
