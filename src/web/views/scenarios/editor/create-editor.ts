import { closeCompletion, completionKeymap, completionStatus } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { indentUnit } from '@codemirror/language';
import { EditorState, type Extension } from '@codemirror/state';
import { drawSelection, EditorView, highlightActiveLine, keymap, lineNumbers } from '@codemirror/view';
import type { Vocabulary } from '../language/protocol.ts';
import { type Assistance, assistance } from './assistance.ts';
import { colours } from './colours.ts';
import { look } from './look.ts';

export interface EditorOptions {
  /** Element that takes the editor; its shadow root keeps the styles of the editor within the policy of the page. */
  readonly place: HTMLElement;
  readonly text: string;
  readonly label: string;
  readonly vocabulary: Vocabulary;
  readonly assistance: Assistance;
  onChange(text: string): void;
  onSave(): void;
}

/** What every editor of the page has. Tab is not bound: it moves the focus on. */
export const basics = (label: string, vocabulary: Vocabulary): Extension[] => [
  lineNumbers(),
  history(),
  drawSelection(),
  highlightActiveLine(),
  indentUnit.of('  '),
  EditorState.tabSize.of(4),
  EditorView.lineWrapping,
  EditorView.contentAttributes.of({
    'aria-label': label,
    tabindex: '0',
    spellcheck: 'false',
    autocapitalize: 'off',
  }),
  colours(vocabulary),
  look,
];

export function createEditor({
  place,
  text,
  label,
  vocabulary,
  assistance: parts,
  onChange,
  onSave,
}: EditorOptions): EditorView {
  const root = place.shadowRoot ?? place.attachShadow({ mode: 'open' });
  root.replaceChildren();
  return new EditorView({
    root,
    parent: root,
    state: EditorState.create({
      doc: text,
      extensions: [
        keymap.of([
          {
            key: 'Mod-s',
            run: () => {
              onSave();
              return true;
            },
          },
          // Esc closes the list and is then free again: held, it stops the rig.
          { key: 'Escape', run: (view) => completionStatus(view.state) !== null && closeCompletion(view) },
          ...completionKeymap,
          ...defaultKeymap,
          ...historyKeymap,
        ]),
        basics(label, vocabulary),
        assistance(parts),
        EditorView.updateListener.of(({ docChanged, state }) => {
          if (docChanged) onChange(state.doc.toString());
        }),
      ],
    }),
  });
}
