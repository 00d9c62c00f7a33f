/** A file name of 255 bytes at most, with room for `-99999` and the extension. */
const LONGEST_STEM = 200;

/** File names for ids, whatever the ids hold: unique also where upper and lower case are the same. */
export class FileNames {
  readonly #taken = new Set<string>();

  /** @returns `<safe-id>.oql`, or `<safe-id>-2.oql` and so on for an id whose name is taken */
  nameFor(id: string): string {
    const stem = id.replace(/[^A-Za-z0-9._-]/gu, '-').slice(0, LONGEST_STEM);
    let name = stem;
    for (let number = 2; this.#taken.has(name.toLowerCase()); number++) name = `${stem}-${number}`;
    this.#taken.add(name.toLowerCase());
    return `${name}.oql`;
  }
}
