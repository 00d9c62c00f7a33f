import { useEffect, useRef, useState } from 'preact/hooks';
import { RequestError, request } from '../../api/request.ts';
import { Button } from '../../components/button.tsx';
import { Field } from '../../components/field.tsx';
import { Message } from '../../components/message.tsx';
import { Panel } from '../../components/panel.tsx';
import { RequestMessage } from '../../components/request-message.tsx';
import { formatDateTime, messages } from '../../messages/index.ts';
import { addressOf, go } from '../../navigation/route.ts';
import { enter, station } from '../../run/station.ts';
import { author } from './author.ts';
import { Conflict, type OtherText } from './conflict.tsx';
import { DryRun, type DryRunAnswer } from './dry-run.tsx';
import {
  addressOfText,
  drafts,
  type EditedText,
  editedText,
  newText,
  type ServedText,
  TEMPLATE,
} from './edited-text.ts';
import { Findings } from './findings.tsx';
import { replaceText, showPlace, useEditor } from './use-editor.ts';
import { Versions } from './versions.tsx';

/** The text of one scenario: written, checked, formatted, dry-run and saved. */
export function ScenarioEditor({ id, isNew }: { id: string; isNew: boolean }) {
  const text = messages.value.scenarios.editor;
  const place = useRef<HTMLDivElement>(null);
  const [base, setBase] = useState<EditedText>();
  const [now, setNow] = useState('');
  const [fault, setFault] = useState<unknown>();
  const [note, setNote] = useState<string>();
  const [other, setOther] = useState<OtherText>();
  const [showsVersions, setShowsVersions] = useState(false);
  const [dryRun, setDryRun] = useState<DryRunAnswer>();
  const dryRunPlace = useRef<HTMLDivElement>(null);
  // It opens below the text: who asked for it sees it.
  useEffect(() => dryRunPlace.current?.scrollIntoView({ block: 'nearest' }), [dryRun]);
  const [busy, setBusy] = useState<'saving' | 'running'>();

  useEffect(() => {
    const draft = drafts.get(id);
    const begin = (one: EditedText, present: string) => {
      setNow(present);
      setBase(one);
    };
    if (draft) begin(draft.base, draft.text);
    else if (isNew)
      request<{ folder: string }>('/api/language').then(
        ({ folder }) => begin(newText(id, folder), TEMPLATE),
        setFault,
      );
    else
      request<ServedText>(addressOfText(id)).then((served) => {
        const one = editedText(served);
        begin(one, one.saved);
      }, setFault);
    // A first save changes only the address.
  }, [id]);

  // Whoever runs the rig is the likely author; another name is kept in this browser.
  useEffect(() => {
    if (author.value === '') author.value = station.value?.operator ?? '';
  }, []);

  const isChanged = base !== undefined && now !== base.saved;
  useEffect(() => {
    if (base && isChanged) drafts.set(id, { base, text: now });
    else drafts.delete(id);
    if (!isChanged) return;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener('beforeunload', warn);
    return () => removeEventListener('beforeunload', warn);
  }, [id, base, now, isChanged]);

  const {
    editor,
    findings,
    fault: checkFault,
  } = useEditor(place, {
    file: base?.file,
    text: now,
    label: text.editorLabel(id),
    onChange: setNow,
    onSave: () => void save(now),
  });
  const by = author.value.trim();

  function taken(served: ServedText): void {
    const one = editedText(served);
    setBase(one);
    setNow(one.saved);
    setOther(undefined);
    drafts.delete(id);
    if (editor && editor.view.state.doc.toString() !== one.saved) replaceText(editor, one.saved);
  }

  /** @param etag of the text that it replaces */
  async function save(written: string, etag = base?.etag ?? null): Promise<void> {
    if (!base || by === '' || busy) return;
    setBusy('saving');
    setFault(undefined);
    setNote(undefined);
    try {
      const headers = etag === null ? { 'if-none-match': '*' } : { 'if-match': etag };
      const body = { text: written.replaceAll('\n', base.lineEnd), saved_by: by };
      taken(await request<ServedText>(addressOfText(id), { method: 'PUT', body, headers }));
      if (isNew) go(addressOf('scenarios', id), true);
    } catch (thrown) {
      if (thrown instanceof RequestError && thrown.code === 'scenario_changed')
        setOther(thrown.members.current as OtherText);
      else setFault(thrown);
    } finally {
      setBusy(undefined);
    }
  }

  async function format(): Promise<void> {
    if (!editor || !base) return;
    const result = await editor.client.ask('format', { file: base.file, text: now });
    setNote('errors' in result ? text.notFormatted(result.errors) : undefined);
    if ('edit' in result && result.edit) {
      const { from, to, text: insert } = result.edit;
      editor.view.dispatch({ changes: { from, to, insert } });
    }
  }

  async function rehearse(): Promise<void> {
    setBusy('running');
    setFault(undefined);
    await request<DryRunAnswer>(`${addressOfText(id)}/dry-run`, {
      body: { text: now },
      timeoutMs: 35_000,
    }).then(setDryRun, setFault);
    setBusy(undefined);
  }

  /** Chooses it for the next run; the Run view says what else is needed. */
  const run = () => {
    enter({ scenario_id: id, variables: {} });
    go(addressOf('run'));
  };
  const showLine = (line: number) => {
    if (editor)
      showPlace(editor, editor.view.state.doc.line(Math.min(line, editor.view.state.doc.lines)).from);
  };
  const version = base?.version;
  return (
    <div class="stack scenario-editor">
      <Panel
        title={id}
        aside={
          <a class="button" href={addressOf('scenarios')}>
            {text.back}
          </a>
        }
      >
        <p class="muted" data-saved={!isChanged}>
          {isChanged || base?.etag === null
            ? text.unsaved
            : version?.saved_by
              ? text.saved(version.n, version.saved_by, formatDateTime(version.saved_at))
              : base
                ? text.outside
                : fault === undefined
                  ? messages.value.loading
                  : ''}
        </p>
        <div class="row">
          <Field
            label={text.author}
            hint={text.authorHint}
            name="author"
            value={author.value}
            onInput={(value) => {
              author.value = value;
            }}
          />
          <Button
            kind="primary"
            disabled={!base || by === '' || busy !== undefined}
            onClick={() => void save(now)}
          >
            {busy === 'saving' ? text.saving : text.save}
          </Button>
          <Button disabled={!editor} onClick={() => void format()}>
            {text.format}
          </Button>
          <Button disabled={!editor || busy !== undefined} onClick={() => void rehearse()}>
            {busy === 'running' ? text.running : text.dryRun}
          </Button>
          <Button
            disabled={!base?.etag}
            pressed={showsVersions}
            onClick={() => setShowsVersions(!showsVersions)}
          >
            {text.versions}
          </Button>
          <Button disabled={!base?.etag || isChanged} onClick={run}>
            {text.run}
          </Button>
        </div>
        {fault === undefined ? null : <RequestMessage fault={fault} />}
        {note === undefined ? null : <Message kind="warning">{note}</Message>}
        <div class="editor" ref={place} hidden={other !== undefined} />
      </Panel>
      {other && editor ? (
        <Conflict
          other={other}
          mine={now}
          vocabulary={editor.vocabulary}
          onSave={(merged) => void save(merged, other.etag)}
          onDiscard={() =>
            base && taken({ ...base, text: other.text, etag: other.etag, version: other.version })
          }
        />
      ) : null}
      <Panel title={text.findings}>
        {checkFault === undefined ? null : (
          <>
            <p>{text.unchecked}</p>
            <RequestMessage fault={checkFault} />
          </>
        )}
        {findings && editor ? (
          <Findings findings={findings} onShow={({ from }) => showPlace(editor, from)} />
        ) : null}
      </Panel>
      {dryRun ? (
        <div ref={dryRunPlace}>
          <DryRun answer={dryRun} onShow={showLine} onClose={() => setDryRun(undefined)} />
        </div>
      ) : null}
      {showsVersions && base?.etag && editor ? (
        <Versions
          base={base}
          by={by}
          vocabulary={editor.vocabulary}
          canRestore={!isChanged}
          onRestored={taken}
          onClose={() => setShowsVersions(false)}
        />
      ) : null}
    </div>
  );
}
