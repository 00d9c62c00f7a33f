/** Order of two versions by semantic versioning, 2.0.0, section 11: below 0, 0, above 0. */
export function compareVersions(one: string, other: string): number {
  const [mine, theirs] = [one, other].map((text) => {
    const [numbers = '', ...pre] = text.split('-');
    return { numbers: numbers.split('.').map(Number), pre: pre.join('-') };
  });
  if (!mine || !theirs) return 0;
  for (let i = 0; i < 3; i++) {
    const difference = (mine.numbers[i] ?? 0) - (theirs.numbers[i] ?? 0);
    if (difference !== 0) return difference;
  }
  if (mine.pre === '' || theirs.pre === '') return Number(mine.pre === '') - Number(theirs.pre === '');
  return comparePre(mine.pre.split('.'), theirs.pre.split('.'));
}

function comparePre(mine: string[], theirs: string[]): number {
  for (let i = 0; i < Math.max(mine.length, theirs.length); i++) {
    const [a, b] = [mine[i], theirs[i]];
    if (a === undefined || b === undefined) return a === undefined ? -1 : 1;
    if (a === b) continue;
    const [x, y] = [Number(a), Number(b)];
    if (Number.isNaN(x) || Number.isNaN(y))
      return Number.isNaN(x) === Number.isNaN(y) ? (a < b ? -1 : 1) : Number.isNaN(x) ? 1 : -1;
    return x - y;
  }
  return 0;
}
