/** What was read instead of what: `l→I`, `·→` for a blank that was lost. */
export function confusionsOf(truth: string, read: string): string[] {
  const [from, to] = [[...truth], [...read]];
  const steps = stepsOf(from, to);
  const cost = (i: number, j: number) => steps[i * (to.length + 1) + j] as number;
  const found: string[] = [];
  let [i, j] = [from.length, to.length];
  while (i > 0 || j > 0) {
    const isSame = i > 0 && j > 0 && from[i - 1] === to[j - 1];
    if (i > 0 && j > 0 && cost(i, j) === cost(i - 1, j - 1) + (isSame ? 0 : 1)) {
      [i, j] = [i - 1, j - 1];
      if (!isSame) found.push(`${shown(from[i])}→${shown(to[j])}`);
    } else if (i > 0 && cost(i, j) === cost(i - 1, j) + 1) {
      i--;
      found.push(`${shown(from[i])}→`);
    } else {
      j--;
      found.push(`→${shown(to[j])}`);
    }
  }
  return found.reverse();
}

const shown = (letter = ''): string => (letter === ' ' ? '·' : letter);

/** Edits between all beginnings of the two. */
function stepsOf(from: readonly string[], to: readonly string[]): Uint32Array {
  const width = to.length + 1;
  const steps = new Uint32Array((from.length + 1) * width);
  for (let i = 0; i <= from.length; i++)
    for (let j = 0; j < width; j++) {
      if (i === 0 || j === 0) {
        steps[i * width + j] = i + j;
        continue;
      }
      const change = (steps[(i - 1) * width + j - 1] as number) + (from[i - 1] === to[j - 1] ? 0 : 1);
      const less = (steps[(i - 1) * width + j] as number) + 1;
      const more = (steps[i * width + j - 1] as number) + 1;
      steps[i * width + j] = Math.min(change, less, more);
    }
  return steps;
}
