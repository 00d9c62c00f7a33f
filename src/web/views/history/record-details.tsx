import { useState } from 'preact/hooks';
import type { RunEvent } from '../../../scenario/events/event.ts';
import { Field } from '../../components/field.tsx';
import { Panel } from '../../components/panel.tsx';
import { RequestMessage } from '../../components/request-message.tsx';
import { useResource } from '../../components/resource.ts';
import { TableFrame } from '../../components/table-frame.tsx';
import { messages } from '../../messages/index.ts';

/** Events that are drawn at once; a filter finds the others. */
const MOST_EVENTS = 300;
/** What is in every event, or in a column of its own. */
const COMMON: ReadonlySet<string> = new Set(['seq', 't', 'time', 'type', 'goal', 'pos', 'simulated']);

/** The scenario as it was run, whatever its file has become since. */
export function RanScenario({ runId }: { runId: string }) {
  const text = messages.value.history;
  const [isOpen, setOpen] = useState(false);
  const path = isOpen ? `/api/runs/${encodeURIComponent(runId)}/scenario` : null;
  const { data, fault } = useResource<{ text: string }>(path);
  return (
    <Panel class="no-print">
      <details onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary>{text.asRun}</summary>
        {fault === undefined ? null : <RequestMessage fault={fault} />}
        {data ? (
          // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, by keyboard too
          <pre class="source mono" tabIndex={0} lang="en">
            {data.text}
          </pre>
        ) : null}
      </details>
    </Panel>
  );
}

/** Every event of the record, as text. */
export function EventTable({ events }: { events: readonly RunEvent[] }) {
  const text = messages.value.history;
  const words = messages.value.scenarios.editor;
  const [isOpen, setOpen] = useState(false);
  return (
    <Panel class="no-print">
      <details onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary>
          {words.events} ({events.length})
        </summary>
        {isOpen ? <Events events={events} label={words.events} filter={text.eventFilter} /> : null}
      </details>
    </Panel>
  );
}

interface EventsProps {
  events: readonly RunEvent[];
  label: string;
  filter: string;
}

function Events({ events, label, filter }: EventsProps) {
  const words = messages.value.scenarios.editor;
  const [part, setPart] = useState('');
  const rows = events.map((event) => ({ event, detail: detailOf(event) }));
  const wanted = part.toLowerCase();
  const found = rows.filter(({ event, detail }) => `${event.type} ${detail}`.toLowerCase().includes(wanted));
  return (
    <div class="stack">
      <Field label={filter} type="search" value={part} onInput={setPart} />
      {found.length > MOST_EVENTS ? <p class="muted">{words.eventsCut(MOST_EVENTS, found.length)}</p> : null}
      <TableFrame label={label}>
        <table>
          <thead>
            <tr>
              <th scope="col" class="number">
                {words.time}
              </th>
              <th scope="col">{words.event}</th>
              <th scope="col">{messages.value.history.detail}</th>
            </tr>
          </thead>
          <tbody lang="en">
            {found.slice(0, MOST_EVENTS).map(({ event: { seq, t, type }, detail }) => (
              <tr key={seq}>
                <td class="number nowrap">{(t / 1000).toFixed(3)} s</td>
                <td class="mono">{type}</td>
                <td class="small">{detail}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </TableFrame>
    </div>
  );
}

/** What an event says beside its time and kind: its sentence, or its members. */
export function detailOf(event: RunEvent): string {
  const members = Object.entries(event).filter(([name, value]) => !COMMON.has(name) && value !== null);
  return members
    .map(([name, value]) => `${name} ${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join(' · ');
}
