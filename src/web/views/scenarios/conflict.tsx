import { useState } from 'preact/hooks';
import { Button } from '../../components/button.tsx';
import { Message } from '../../components/message.tsx';
import { Panel } from '../../components/panel.tsx';
import { formatDateTime, messages } from '../../messages/index.ts';
import { type SavedVersion, withLf } from './edited-text.ts';
import type { Vocabulary } from './language/protocol.ts';
import { Merge } from './merge.tsx';

/** The text that is there instead of the one that was changed. */
export interface OtherText {
  text: string;
  etag: string;
  version: SavedVersion | null;
}

interface ConflictProps {
  other: OtherText;
  mine: string;
  vocabulary: Vocabulary;
  onSave: (merged: string) => void;
  onDiscard: () => void;
}

/** Two people have changed one scenario: both texts side by side, and nothing is lost. */
export function Conflict({ other, mine, vocabulary, onSave, onDiscard }: ConflictProps) {
  const text = messages.value.scenarios.editor;
  const [merged, setMerged] = useState(mine);
  const { version } = other;
  const theirs =
    version?.saved_by == null
      ? text.outside
      : text.saved(version.n, version.saved_by, formatDateTime(version.saved_at));
  return (
    <Panel title={text.theirs} class="conflict">
      <Message kind="warning">
        <strong>{text.conflict}</strong>
        <p>{theirs}</p>
      </Message>
      <Merge
        theirs={withLf(other.text)}
        mine={mine}
        vocabulary={vocabulary}
        labels={{ theirs: text.theirs, mine: text.mine }}
        onChange={setMerged}
      />
      <div class="row">
        <Button kind="primary" onClick={() => onSave(merged)}>
          {text.saveMerged}
        </Button>
        <Button onClick={onDiscard}>{text.discard}</Button>
      </div>
    </Panel>
  );
}
