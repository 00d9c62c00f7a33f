const MAX_DISTANCE = 2;

/** The candidate nearest to a misspelt word, within two edits and a third of its length; undefined when none is near. */
export function suggest(word: string, candidates: Iterable<string>): string | undefined {
  const wanted = word.toLowerCase();
  const limit = Math.min(MAX_DISTANCE, Math.max(1, Math.floor(wanted.length / 3)));
  let best: string | undefined;
  let bestScore = limit + 1;
  for (const candidate of candidates) {
    if (Math.abs(candidate.length - wanted.length) > limit) continue;
    const score = distance(wanted, candidate.toLowerCase(), limit) + digitPenalty(wanted, candidate);
    if (score < bestScore) {
      best = candidate;
      bestScore = score;
    }
  }
  return best;
}

/** `valve-l` means `valve-1`, the digit that looks like the letter, rather than `valve-2`. */
function digitPenalty(word: string, candidate: string): number {
  if (word.length !== candidate.length) return 0;
  for (let i = 0; i < word.length; i++) {
    const typed = word[i]!;
    const meant = candidate[i]!;
    if (typed !== meant && /\d/.test(meant)) return LOOKALIKES[typed]?.includes(meant) ? 0 : 0.5;
  }
  return 0;
}

const LOOKALIKES: Readonly<Record<string, string>> = { l: '1', i: '1', o: '0', s: '5', b: '8', z: '2' };

/**
 * Edits (insert, delete, replace, swap neighbours) from one word to the other, or more than `limit`. Only the cells
 * near the diagonal can stay within the limit, so the work is linear in the length of the words.
 */
function distance(a: string, b: string, limit: number): number {
  const width = 2 * limit + 1;
  const tooFar = limit + 1;
  // Cell k of row i stands for the first i characters of a and the first i - limit + k of b.
  let beforeLast: number[] = [];
  let last = Array.from({ length: width }, (_, k) => (k < limit ? tooFar : k - limit));
  for (let i = 1; i <= a.length; i++) {
    const row: number[] = [];
    let smallest = tooFar;
    for (let k = 0; k < width; k++) {
      const j = i - limit + k;
      let cost = tooFar;
      if (j === 0) cost = i;
      else if (j > 0 && j <= b.length) {
        const same = a[i - 1] === b[j - 1];
        cost = Math.min((last[k + 1] ?? tooFar) + 1, (row[k - 1] ?? tooFar) + 1, last[k]! + (same ? 0 : 1));
        if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
          cost = Math.min(cost, (beforeLast[k] ?? tooFar) + 1);
      }
      row.push(cost);
      if (cost < smallest) smallest = cost;
    }
    if (smallest > limit) return tooFar;
    beforeLast = last;
    last = row;
  }
  return last[b.length - a.length + limit] ?? tooFar;
}
