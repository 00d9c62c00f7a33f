/** How long the key is held, ms. */
const HOLD_MS = 500;

/**
 * Calls `act` when Escape is held for half a second, wherever the focus is: seen before any other listener of the page.
 * @returns what ends it
 */
export function holdEscape(target: Window, act: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const release = () => {
    clearTimeout(timer);
    timer = undefined;
  };
  const down = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || event.repeat || timer !== undefined) return;
    timer = setTimeout(() => {
      timer = undefined;
      act();
    }, HOLD_MS);
  };
  const up = (event: KeyboardEvent) => {
    if (event.key === 'Escape') release();
  };
  target.addEventListener('keydown', down, true);
  target.addEventListener('keyup', up, true);
  target.addEventListener('blur', release);
  return () => {
    release();
    target.removeEventListener('keydown', down, true);
    target.removeEventListener('keyup', up, true);
    target.removeEventListener('blur', release);
  };
}
