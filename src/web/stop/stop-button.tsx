import { useEffect } from 'preact/hooks';
import { messages } from '../messages/index.ts';
import { holdEscape } from './hold-escape.ts';

/**
 * The emergency stop of the page. It acts when it is touched, not when it is let go: a finger that slides off gives no click.
 */
export function StopButton({ onStop }: { onStop: () => void }) {
  const { stop } = messages.value;
  useEffect(() => holdEscape(window, onStop), [onStop]);
  return (
    <button
      type="button"
      class="stop"
      onPointerDown={(event) => {
        if (event.button === 0) onStop();
      }}
      // By keyboard or a switch device there is a click alone; its `detail` is 0.
      onClick={(event) => {
        if (event.detail === 0) onStop();
      }}
    >
      <span class="stop-word">{stop.button}</span>
      <span class="stop-hint">{stop.hint}</span>
    </button>
  );
}
