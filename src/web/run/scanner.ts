/** Longest time between two keys of a scanner, ms; a person needs several times as long. */
const KEY_GAP_MS = 35;
/** The Enter that ends a scan comes within this time, ms. */
const ENTER_MS = 100;
/** Shorter ones are no code. */
const LEAST_LENGTH = 3;
/** The same code twice in this time is one scan, ms. */
const REPEAT_MS = 1000;

/**
 * A bar code scanner is a keyboard that types fast and ends with Enter. Such a burst goes to `onCode` and to nothing else: the
 * field that has the focus gets its text back, and Enter presses no button. @returns what ends it
 */
export function listenForScans(target: Window, onCode: (code: string) => void): () => void {
  let typed = '';
  let lastAt = Number.NEGATIVE_INFINITY;
  let before: { field: HTMLInputElement | HTMLTextAreaElement; value: string } | undefined;
  let lastCode = { code: '', at: Number.NEGATIVE_INFINITY };
  const down = (event: KeyboardEvent) => {
    const { key, timeStamp: at } = event;
    const gap = at - lastAt;
    if (key === 'Enter') {
      const code = typed;
      typed = '';
      if (code.length < LEAST_LENGTH || gap > ENTER_MS) return;
      event.preventDefault();
      event.stopImmediatePropagation();
      restore(before);
      if (code === lastCode.code && at - lastCode.at < REPEAT_MS) return;
      lastCode = { code, at };
      onCode(code.trim());
      return;
    }
    // Shift and the like are part of a code.
    if (key.length !== 1 || event.ctrlKey || event.altKey || event.metaKey) return;
    if (gap > KEY_GAP_MS) {
      typed = '';
      before = fieldOf(event.target);
    }
    typed += key;
    lastAt = at;
    // A space would press the button that has the focus; in an editor it is text.
    if (key === ' ' && typed.length > 1 && !before && !isInEditor(event)) event.preventDefault();
  };
  target.addEventListener('keydown', down, true);
  return () => target.removeEventListener('keydown', down, true);
}

function fieldOf(target: EventTarget | null) {
  const isField = target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement;
  return isField ? { field: target, value: target.value } : undefined;
}

/** Behind a shadow root the target is its host: the path shows what is inside. */
const isInEditor = (event: KeyboardEvent): boolean =>
  event.composedPath().some((one) => one instanceof HTMLElement && one.isContentEditable);

function restore(before: { field: HTMLInputElement | HTMLTextAreaElement; value: string } | undefined): void {
  if (!before) return;
  before.field.value = before.value;
  before.field.dispatchEvent(new Event('input', { bubbles: true }));
}
