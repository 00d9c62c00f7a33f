import { useEffect, useRef, useState } from 'preact/hooks';
import { request } from '../../api/request.ts';
import { Button } from '../../components/button.tsx';
import { Panel } from '../../components/panel.tsx';
import { RequestMessage } from '../../components/request-message.tsx';
import { useResource } from '../../components/resource.ts';
import { formatDateTime, messages } from '../../messages/index.ts';
import { addressOfText, type EditedText, type SavedVersion, type ServedText, withLf } from './edited-text.ts';
import type { Vocabulary } from './language/protocol.ts';
import { Merge } from './merge.tsx';

interface VersionsProps {
  base: EditedText;
  by: string;
  vocabulary: Vocabulary;
  /** False while a text is not saved: restoring would lose it. */
  canRestore: boolean;
  onRestored: (text: ServedText) => void;
  onClose: () => void;
}

/** Every text that the scenario has had, with who and when. */
export function Versions({ base, by, vocabulary, canRestore, onRestored, onClose }: VersionsProps) {
  const text = messages.value.scenarios.editor;
  const address = addressOfText(base.id);
  const { data, fault } = useResource<{ versions: SavedVersion[] }>(
    `${address}/versions?of=${encodeURIComponent(base.etag ?? '')}`,
  );
  const place = useRef<HTMLDivElement>(null);
  // They open below the text: who asked for them sees them.
  useEffect(() => place.current?.scrollIntoView({ block: 'nearest' }), [data]);
  const [compared, setCompared] = useState<{ n: number; text: string }>();
  const [failed, setFailed] = useState<unknown>();

  const compare = (n: number) =>
    request<{ text: string }>(`${address}/versions/${n}`).then(
      (answer) => setCompared({ n, text: withLf(answer.text) }),
      setFailed,
    );
  const restore = (n: number) =>
    request<ServedText>(`${address}/versions/${n}/restore`, {
      body: { saved_by: by },
      headers: { 'if-match': base.etag ?? '' },
    }).then(onRestored, setFailed);

  return (
    <div ref={place}>
      <Panel title={text.versions} aside={<Button onClick={onClose}>{text.close}</Button>}>
        {fault === undefined ? null : <RequestMessage fault={fault} />}
        {failed === undefined ? null : <RequestMessage fault={failed} />}
        {data?.versions.length === 0 ? <p>{text.noVersions}</p> : null}
        {data && data.versions.length > 0 ? (
          <div class="table-frame">
            <table>
              <thead>
                <tr>
                  <th scope="col">{text.number}</th>
                  <th scope="col">{text.when}</th>
                  <th scope="col">{text.who}</th>
                  <th scope="col">{text.note}</th>
                  <th scope="col">
                    <span class="visually-hidden">{text.compare}</span>
                  </th>
                </tr>
              </thead>
              <tbody>
                {data.versions.map(({ n, saved_at, saved_by, note, restores }) => (
                  <tr key={n} data-version={n}>
                    <td class="number">{n}</td>
                    <td>{formatDateTime(saved_at)}</td>
                    <td>{saved_by ?? text.outside}</td>
                    <td>{note ?? (restores === null ? '' : text.restored(restores))}</td>
                    <td>
                      <div class="row">
                        <Button onClick={() => void compare(n)}>{text.compare}</Button>
                        <Button onClick={() => void restore(n)} disabled={by === '' || !canRestore}>
                          {text.restore}
                        </Button>
                      </div>
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        ) : null}
        {compared ? (
          <Merge
            key={compared.n}
            theirs={compared.text}
            mine={base.saved}
            vocabulary={vocabulary}
            labels={{ theirs: text.older(compared.n), mine: text.now }}
          />
        ) : null}
      </Panel>
    </div>
  );
}
