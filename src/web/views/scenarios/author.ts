import { effect, signal } from '@preact/signals';

const KEY = 'svc-rig.author';

/** Who saves, kept in this browser. A browser that keeps nothing has it for as long as the page is open. */
export const author = signal(kept());

effect(() => {
  try {
    localStorage.setItem(KEY, author.value);
  } catch {
    // Storage is switched off or full.
  }
});

function kept(): string {
  try {
    return localStorage.getItem(KEY) ?? '';
  } catch {
    return '';
  }
}
