import { useState } from 'preact/hooks';
import type { SealState } from '../../../scenario/records/verify-record.ts';
import type { RunView } from '../../../services/server/runs/run-view.ts';
import { request } from '../../api/request.ts';
import { Button } from '../../components/button.tsx';
import { Choice, Field } from '../../components/field.tsx';
import { Message } from '../../components/message.tsx';
import { Panel } from '../../components/panel.tsx';
import { RequestMessage } from '../../components/request-message.tsx';
import { useResource } from '../../components/resource.ts';
import { StateMark } from '../../components/state-mark.tsx';
import { TableFrame } from '../../components/table-frame.tsx';
import { formatDateTime, messages } from '../../messages/index.ts';
import { addressOf, go, place } from '../../navigation/route.ts';

interface RunList {
  runs: RunView[];
  damaged: { run_id: string; reason: string; seal: SealState }[];
  next: string | null;
}

const PAGE = 50;
const TEXTS = ['search', 'scenario', 'serial', 'batch', 'operator', 'since', 'until'] as const;
const STATES = ['passed', 'failed', 'error', 'aborted', 'inconclusive', 'done', 'running'] as const;

/** Filters are in the address: the link to a list can be sent, and the way back leads to it. */
export function filterIn(query: URLSearchParams): URLSearchParams {
  return new URLSearchParams([...query].filter(([name, value]) => value !== '' && !isHalfDate(name, value)));
}

/** Still being typed. */
const isHalfDate = (name: string, value: string): boolean =>
  (name === 'since' || name === 'until') && !/^\d{4}-\d\d-\d\d/.test(value);

export function setFilter(name: string, value: string): void {
  const query = new URLSearchParams(place.value.query);
  if (value === '') query.delete(name);
  else query.set(name, value);
  go(addressOf(place.value.view, place.value.item, query), true);
}

export function RunTable() {
  const text = messages.value.history;
  const query = filterIn(place.value.query);
  const path = `/api/runs?${query}${query.size > 0 ? '&' : ''}limit=${PAGE}`;
  const { data, fault, reload } = useResource<RunList>(path);
  const [more, setMore] = useState<{ path: string; runs: RunView[]; next: string | null }>();
  const [moreFault, setMoreFault] = useState<unknown>();
  // What was added belongs to one list only.
  const added = more?.path === path ? more : undefined;
  const runs = [...(data?.runs ?? []), ...(added?.runs ?? [])];
  const next = added ? added.next : (data?.next ?? null);
  const load = () => {
    setMoreFault(undefined);
    request<RunList>(`${path}&before=${encodeURIComponent(next ?? '')}`).then(
      (part) => setMore({ path, runs: [...(added?.runs ?? []), ...part.runs], next: part.next }),
      setMoreFault,
    );
  };
  return (
    <Panel title={messages.value.views.history} aside={<Button onClick={reload}>{text.reload}</Button>}>
      <Filters />
      {fault === undefined ? null : <RequestMessage fault={fault} />}
      {(data?.damaged ?? []).map(({ run_id, reason, seal }) => (
        <Message kind="alarm" key={run_id}>
          <strong>{seal === 'unsealed' ? text.notSealed(run_id) : text.damaged(run_id)}</strong>
          <p lang="en">{reason}</p>
        </Message>
      ))}
      {data || fault !== undefined ? null : <p class="muted">{messages.value.loading}</p>}
      {data && runs.length === 0 ? <p class="muted">{text.none}</p> : null}
      {runs.length > 0 ? <Table runs={runs} /> : null}
      {moreFault === undefined ? null : <RequestMessage fault={moreFault} />}
      {next === null ? null : <Button onClick={load}>{text.more}</Button>}
    </Panel>
  );
}

function Filters() {
  const text = messages.value.history;
  const { query } = place.value;
  return (
    <div class="filters">
      {TEXTS.map((name) => (
        <Field
          key={name}
          label={text.filters[name]}
          type={name === 'search' ? 'search' : 'text'}
          value={query.get(name) ?? ''}
          onInput={(value) => setFilter(name, value)}
          {...(name === 'since' || name === 'until' ? { placeholder: 'YYYY-MM-DD' } : {})}
        />
      ))}
      <Choice
        label={text.filters.status}
        value={query.get('status') ?? ''}
        onChange={(value) => setFilter('status', value)}
        options={[['', text.all], ...STATES.map((one) => [one, messages.value.state[one] ?? one] as const)]}
      />
      <Choice
        label={text.filters.hardware}
        value={query.get('hardware') ?? ''}
        onChange={(value) => setFilter('hardware', value)}
        options={[
          ['', text.all],
          ['real', messages.value.mode.real],
          ['bench', messages.value.mode.bench],
          ['mock', messages.value.mode.mock],
        ]}
      />
    </div>
  );
}

function Table({ runs }: { runs: readonly RunView[] }) {
  const text = messages.value.history;
  return (
    <TableFrame label={messages.value.views.history}>
      <table>
        <thead>
          <tr>
            <th scope="col">{text.started}</th>
            <th scope="col">{text.state}</th>
            <th scope="col">{text.filters.serial}</th>
            <th scope="col">{text.filters.scenario}</th>
            <th scope="col">{text.filters.operator}</th>
            <th scope="col">{text.firstFailed}</th>
            <th scope="col">{text.record}</th>
          </tr>
        </thead>
        <tbody>
          {runs.map((run) => (
            <tr key={run.run_id}>
              <td>{formatDateTime(run.started_at)}</td>
              <td>
                <StateMark state={run.status} />
              </td>
              <td>{run.unit_under_test ?? '–'}</td>
              <td>{run.scenario_id}</td>
              <td>{run.operator ?? '–'}</td>
              <td class="clipped">{run.first_failed?.message ?? run.errors[0]?.message ?? ''}</td>
              <td>
                <a class="mono" href={addressOf('history', run.run_id)}>
                  {run.run_id}
                </a>
                <HardwareMark run={run} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </TableFrame>
  );
}

/** A run that is no test of a device says so wherever it is listed. */
export function HardwareMark({ run }: { run: RunView }) {
  const text = messages.value.mode;
  if (run.mode !== 'execute') return <span class="hardware-mark">{run.mode}</span>;
  if (run.simulated === null || run.bench === null)
    return <span class="hardware-mark">{messages.value.history.notRecorded}</span>;
  if (run.simulated) return <span class="hardware-mark">{text.mock}</span>;
  return run.bench ? <span class="hardware-mark">{text.bench}</span> : null;
}
