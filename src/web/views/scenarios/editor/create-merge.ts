import { MergeView } from '@codemirror/merge';
import { EditorState } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import type { Vocabulary } from '../language/protocol.ts';
import { basics } from './create-editor.ts';

export interface MergeOptions {
  readonly place: HTMLElement;
  /** Left, not to be changed. */
  readonly theirs: string;
  /** Right. */
  readonly mine: string;
  readonly vocabulary: Vocabulary;
  readonly labels: { readonly theirs: string; readonly mine: string };
  /** In place of lines that are equal; `$` is their number. */
  readonly unchanged: string;
  /** Absent: the right text cannot be changed either. */
  readonly onChange?: (text: string) => void;
}

/** Two texts side by side with their differences. With `onChange` a difference can be taken over from the left. */
export function createMerge({
  place,
  theirs,
  mine,
  vocabulary,
  labels,
  unchanged,
  onChange,
}: MergeOptions): MergeView {
  const root = place.shadowRoot ?? place.attachShadow({ mode: 'open' });
  root.replaceChildren();
  const fixed = [EditorState.readOnly.of(true)];
  const words = EditorState.phrases.of({ '$ unchanged lines': unchanged });
  return new MergeView({
    root,
    parent: root,
    a: { doc: theirs, extensions: [basics(labels.theirs, vocabulary), words, fixed] },
    b: {
      doc: mine,
      extensions: [
        basics(labels.mine, vocabulary),
        words,
        onChange
          ? EditorView.updateListener.of(({ docChanged, state }) => {
              if (docChanged) onChange(state.doc.toString());
            })
          : fixed,
      ],
    },
    ...(onChange ? { revertControls: 'a-to-b' as const } : {}),
    collapseUnchanged: { margin: 3, minSize: 6 },
  });
}
