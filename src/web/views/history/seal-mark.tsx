import type { SealState } from '../../../scenario/records/verify-record.ts';
import { Icon } from '../../components/icon.tsx';
import { messages } from '../../messages/index.ts';

/** What a record is worth. @param seal null: it was not compared with its seal */
export function SealMark({ seal }: { seal: SealState | null }) {
  const text = messages.value.history;
  const kind = seal === 'sealed' ? 'quiet' : seal === 'open' || seal === null ? 'warning' : 'alarm';
  return (
    <span class={`state state-${kind}`}>
      <Icon name={seal === 'sealed' ? 'check' : 'warning'} />
      {seal === null ? text.notCompared : text.evidenceState(seal)}
    </span>
  );
}
