import { Icon } from '../../components/icon.tsx';
import { Said } from '../../components/said.tsx';
import { formatTime, messages } from '../../messages/index.ts';
import type { LogLine } from '../../run/run-model.ts';

const ALARMING: ReadonlySet<string> = new Set(['error', 'alarm', 'fail']);

/** The newest line first. */
export function LogList({ lines }: { lines: readonly LogLine[] }) {
  if (lines.length === 0) return <p class="muted">{messages.value.run.noLog}</p>;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, by keyboard too
    <ul class="log" tabIndex={0} aria-label={messages.value.run.log}>
      {[...lines].reverse().map(({ seq, time, level, message }) => (
        <li key={seq}>
          <span class="number muted">{formatTime(Date.parse(time))}</span>
          {ALARMING.has(level) ? <Icon name="warning" /> : null}
          <span>
            <Said text={message} />
          </span>
        </li>
      ))}
    </ul>
  );
}
