import type { EditorView } from '@codemirror/view';
import type { RefObject } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { request } from '../../api/request.ts';
import type { LanguageClient } from './language/language-client.ts';
import type { RigLanguage, ShownFinding, Vocabulary } from './language/protocol.ts';

export interface OpenEditor {
  readonly view: EditorView;
  readonly client: LanguageClient;
  readonly vocabulary: Vocabulary;
}

interface Wanted {
  readonly file: string | undefined;
  readonly text: string;
  readonly label: string;
  onChange(text: string): void;
  onSave(): void;
}

/** The editor in an element, loaded when it is first needed, and what the check of its text says. */
export function useEditor(place: RefObject<HTMLDivElement | null>, wanted: Wanted) {
  const [editor, setEditor] = useState<OpenEditor>();
  const [findings, setFindings] = useState<readonly ShownFinding[]>();
  const [fault, setFault] = useState<unknown>();
  // The editor keeps the first functions that it is given.
  const latest = useRef(wanted);
  latest.current = wanted;
  const { file } = wanted;
  useEffect(() => {
    if (file === undefined || !place.current) return;
    const element = place.current;
    const stop = new AbortController();
    let open: OpenEditor | undefined;
    const load = async () => {
      const [{ createEditor }, { LanguageClient }, rig] = await Promise.all([
        import('./editor/create-editor.ts'),
        import('./language/language-client.ts'),
        request<RigLanguage>('/api/language', { signal: stop.signal }),
      ]);
      if (stop.signal.aborted) return;
      const client = new LanguageClient(rig);
      stop.signal.addEventListener('abort', () => client.close());
      const vocabulary = await client.ask('vocabulary', null);
      if (stop.signal.aborted) return;
      const view = createEditor({
        place: element,
        text: latest.current.text,
        label: latest.current.label,
        vocabulary,
        assistance: {
          client,
          file,
          onFindings: (found, reason) => {
            setFindings(found);
            setFault(reason === undefined ? undefined : new Error(reason));
          },
        },
        onChange: (text) => latest.current.onChange(text),
        onSave: () => latest.current.onSave(),
      });
      open = { view, client, vocabulary };
      setEditor(open);
    };
    load().catch((thrown: unknown) => {
      if (!stop.signal.aborted) setFault(thrown);
    });
    return () => {
      stop.abort();
      open?.view.destroy();
      setEditor(undefined);
      setFindings(undefined);
    };
  }, [file, place]);
  return { editor, findings, fault };
}

/** Replaces the whole text, as one step that can be undone. */
export function replaceText({ view }: OpenEditor, text: string): void {
  view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text } });
}

/** Moves the cursor to an offset and shows it. */
export function showPlace({ view }: OpenEditor, offset: number): void {
  view.dispatch({ selection: { anchor: Math.min(offset, view.state.doc.length) }, scrollIntoView: true });
  view.focus();
}
