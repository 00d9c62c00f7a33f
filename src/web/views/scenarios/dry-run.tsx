import { Button } from '../../components/button.tsx';
import { Panel } from '../../components/panel.tsx';
import { StateMark } from '../../components/state-mark.tsx';
import { messages } from '../../messages/index.ts';

/** What `POST /api/scenarios/{id}/dry-run` answers. */
export interface DryRunAnswer {
  outcome: string;
  ok: boolean;
  lines: string[];
  events: { seq: number; t: number; type: string; pos?: { line: number } | null }[];
  events_total: number;
}

interface DryRunProps {
  answer: DryRunAnswer;
  onShow: (line: number) => void;
  onClose: () => void;
}

/** The text output and the events of a dry-run. Marked: it is no test of a device. */
export function DryRun({ answer: { outcome, lines, events, events_total }, onShow, onClose }: DryRunProps) {
  const text = messages.value.scenarios.editor;
  return (
    <Panel
      title={text.dryRunTitle}
      aside={
        <div class="row">
          <StateMark state={outcome} />
          <Button onClick={onClose}>{text.close}</Button>
        </div>
      }
    >
      <section class="output mono" lang="en" aria-label={text.dryRunTitle} data-outcome={outcome}>
        {lines.map((line, index) => (
          <p key={index}>{line}</p>
        ))}
      </section>
      <details>
        <summary>
          {events.length < events_total ? text.eventsCut(events.length, events_total) : text.events}
        </summary>
        <div class="table-frame">
          <table>
            <thead>
              <tr>
                <th scope="col">{text.time}</th>
                <th scope="col">{text.event}</th>
                <th scope="col">{messages.value.scenarios.id}</th>
              </tr>
            </thead>
            <tbody>
              {events.map(({ seq, t, type, pos }) => (
                <tr key={seq}>
                  <td class="number">{(t / 1000).toFixed(3)} s</td>
                  <td class="mono">{type}</td>
                  <td>
                    {pos ? (
                      <button type="button" class="button button-quiet" onClick={() => onShow(pos.line)}>
                        {text.line(pos.line)}
                      </button>
                    ) : null}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </details>
    </Panel>
  );
}
