import { messages } from '../messages/index.ts';
import { Icon, type IconName } from './icon.tsx';

const LOOKS: Readonly<Record<string, [icon: IconName, kind: string]>> = {
  passed: ['check', 'good'],
  done: ['check', 'quiet'],
  failed: ['cross', 'alarm'],
  error: ['warning', 'alarm'],
  aborted: ['cross', 'warning'],
  inconclusive: ['question', 'warning'],
  running: ['play', 'active'],
  aborting: ['play', 'warning'],
  skipped: ['dash', 'quiet'],
};

export const STATES = Object.keys(LOOKS);

/** The state of a run, a block or a check: word and shape, and colour where a person is needed. */
export function StateMark({ state }: { state: string }) {
  const [icon, kind] = LOOKS[state] ?? ['clock', 'quiet'];
  return (
    <span class={`state state-${kind}`}>
      <Icon name={icon} />
      {messages.value.state[state] ?? state}
    </span>
  );
}
