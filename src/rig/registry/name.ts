const ASCII = /^[ -~]*$/;
const FOLDS: Record<string, string> = { ł: 'l', ø: 'o', đ: 'd', ß: 'ss', æ: 'ae', œ: 'oe' };

/**
 * The key under which targets and sensors are found: lower case, blanks and `_` as `-`, accents folded, so that
 * `Zawór 2`, `zawor_2` and `zawor-2` are one name.
 */
export function normalName(name: string): string {
  const lower = name.trim().toLowerCase();
  let plain = lower;
  if (!ASCII.test(lower)) {
    plain = lower
      .normalize('NFD')
      .replace(/\p{M}/gu, '')
      .replace(/[łøđßæœ]/g, (letter) => FOLDS[letter] ?? letter);
  }
  return plain.replace(/[\s_]+/g, '-');
}
