/** What letters beside it tell of an `l` or `I`. A digit is never changed: a wrong number is worse than an odd word. */
export function byNeighbours(text: string): string {
  return (
    text
      .split(' ')
      .map(ofWord)
      .join(' ')
      // An address.
      .replace(/(?<=\p{L}): (?=\/\/)/gu, ':')
      // A full stop between two letters, drawn wide.
      .replace(/(\p{L}) \. (?=\p{L})/gu, '$1.')
      // The Polish data have no sign for degrees.
      .replace(/(\d ?)\*(?=[CF]\b)/g, '$1°')
      // Units: litres, ohms and micro-, which their data know as letters only.
      .replace(/(?<![\p{L}])[I|](?=\/(?:min|h|s)\b)/gu, 'l')
      .replace(/(\d ?[kMm]?)Q$/, '$1Ω')
      .replace(/(\d ?)u(?=[mAVsFl]$)/, '$1µ')
  );
}

function ofWord(word: string): string {
  if (/^[Il|]{2,3}\.$/.test(word)) return word.replace(/[l|]/g, 'I');
  // Among capitals. No word begins like the others; shorter ones are units (lb, lm, lux).
  return word
    .replace(/\p{L}{3,}/gu, (run) =>
      /^[\p{Lu}l]+$/u.test(run) && /\p{Lu}.*\p{Lu}/u.test(run) ? run.replaceAll('l', 'I') : run,
    )
    .replace(/(?<!\p{L})Ul(?![\p{L}.])/gu, 'UI')
    .replace(/(?<![\p{L}\p{N}])l(?=[bcdfghjkmnpqrstvwxz]\p{L}{2})/gu, 'I')
    .replace(/(?<!\p{L})ll(?=l)/gu, 'Il');
}
