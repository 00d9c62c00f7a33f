/** What letters beside it tell of an `l` or `I`. A digit is never changed: a wrong number is worse than an odd word. */
export function byNeighbours(text: string): string {
  return (
    text
      .split(' ')
      .map(ofWord)
      .join(' ')
      // A full stop between two letters, drawn wide.
      .replace(/(\p{L}) \. (?=\p{L})/gu, '$1.')
      // The Polish data have no sign for degrees.
      .replace(/(\d ?)\*(?=[CF]\b)/g, '$1°')
  );
}

function ofWord(word: string): string {
  const letters = word.replace(/[^\p{L}]/gu, '');
  if (/^[Il|]{2,3}\.$/.test(word)) return word.replace(/[l|]/g, 'I');
  // Among capitals.
  if (letters.length >= 3 && /^[\p{Lu}l]+$/u.test(letters) && /\p{Lu}.*\p{Lu}/u.test(letters))
    return word.replaceAll('l', 'I');
  // No word begins like this; shorter ones are units (lb, lm, lux).
  return word
    .replace(/(?<![\p{L}\p{N}])l(?=[bcdfghjkmnpqrstvwxz]\p{L}{2})/gu, 'I')
    .replace(/(?<!\p{L})ll(?=l)/gu, 'Il');
}
