/** A sentence that a program of the rig makes, and the same in the language of the page. */
export type Sentence = readonly [pattern: RegExp, translate: (...parts: string[]) => string];

/** @returns the sentence in other words; undefined for one that is not known, such as those of the author of a scenario */
export function translated(sentence: string, sentences: readonly Sentence[]): string | undefined {
  for (const [pattern, translate] of sentences) {
    const found = pattern.exec(sentence);
    if (found) return translate(...found.slice(1).map((part) => part ?? ''));
  }
  return undefined;
}
