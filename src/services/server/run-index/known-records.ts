import { readdirSync, statSync } from 'node:fs';

/** A directory whose change time stays the same for so long is taken as unchanged; its resolution is some milliseconds. */
const SETTLED_MS = 1000;
const RECORD = /^r-\d{8}-\d{4,}$/;

export const isRecordName = (name: string): boolean => RECORD.test(name);

/** Names of the records that were there when they were last looked for, and what has come and gone since. */
export class KnownRecords {
  readonly #root: string;
  readonly #monotonicMs: () => number;
  readonly #names = new Set<string>();
  #stamp = '';
  #stampSinceMs = 0;
  #isSettled = false;

  constructor(root: string, monotonicMs: () => number) {
    this.#root = root;
    this.#monotonicMs = monotonicMs;
  }

  get size(): number {
    return this.#names.size;
  }

  has(name: string): boolean {
    return this.#names.has(name);
  }

  /**
   * Looks at the folder, and reads it when something was added, removed or renamed in it.
   * @returns the differences; `added` newest last. @throws the system's error
   */
  look(): { added: string[]; removed: string[] } {
    const now = this.#monotonicMs();
    const { ino, ctimeNs } = statSync(this.#root, { bigint: true });
    const stamp = `${ino} ${ctimeNs}`;
    if (stamp === this.#stamp && this.#isSettled) return { added: [], removed: [] };
    // A change within the same tick of the file system's clock leaves the stamp as it is: the folder is read once more
    // when the stamp is old enough.
    if (stamp !== this.#stamp) this.#stampSinceMs = now;
    this.#isSettled = stamp === this.#stamp && now - this.#stampSinceMs >= SETTLED_MS;
    this.#stamp = stamp;
    return this.#differences(readdirSync(this.#root).filter(isRecordName));
  }

  #differences(names: readonly string[]): { added: string[]; removed: string[] } {
    const added = names.filter((name) => !this.#names.has(name)).sort(byNumber);
    for (const name of added) this.#names.add(name);
    if (this.#names.size === names.length) return { added, removed: [] };
    const there = new Set(names);
    const removed = [...this.#names].filter((name) => !there.has(name));
    for (const name of removed) this.#names.delete(name);
    return { added, removed };
  }
}

/** Oldest first by day and number: `r-20250115-10000` comes after `r-20250115-9999`. */
export function byNumber(a: string, b: string): number {
  const [dayA, dayB] = [a.slice(0, 10), b.slice(0, 10)];
  if (dayA !== dayB) return dayA < dayB ? -1 : 1;
  return Number(a.slice(11)) - Number(b.slice(11));
}
