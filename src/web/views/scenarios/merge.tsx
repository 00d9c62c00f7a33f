import type { MergeView } from '@codemirror/merge';
import { useEffect, useRef } from 'preact/hooks';
import { messages } from '../../messages/index.ts';
import type { Vocabulary } from './language/protocol.ts';

interface MergeProps {
  theirs: string;
  mine: string;
  vocabulary: Vocabulary;
  labels: { theirs: string; mine: string };
  /** Absent: both texts are shown only. */
  onChange?: (text: string) => void;
}

/** Two texts side by side with their differences. */
export function Merge({ theirs, mine, vocabulary, labels, onChange }: MergeProps) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    let open: MergeView | undefined;
    let isGone = false;
    void import('./editor/create-merge.ts').then(({ createMerge }) => {
      if (isGone || !place.current) return;
      open = createMerge({
        place: place.current,
        theirs,
        mine,
        vocabulary,
        labels,
        unchanged: messages.value.scenarios.editor.unchanged,
        ...(onChange ? { onChange } : {}),
      });
    });
    return () => {
      isGone = true;
      open?.destroy();
    };
    // The right text is the editor's own from then on.
  }, [theirs]);
  return (
    <>
      <div class="merge-heads">
        <h3>{labels.theirs}</h3>
        <h3>{labels.mine}</h3>
      </div>
      <div class="editor" ref={place} />
    </>
  );
}
