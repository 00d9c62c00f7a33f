import { useState } from 'preact/hooks';
import type { SealState } from '../../../scenario/records/verify-record.ts';
import type { RunSort } from '../../../services/server/run-index/queries/list-runs.ts';
import type { RunView } from '../../../services/server/runs/run-view.ts';
import { request } from '../../api/request.ts';
import { Button } from '../../components/button.tsx';
import { Choice, Field } from '../../components/field.tsx';
import { Icon } from '../../components/icon.tsx';
import { Message } from '../../components/message.tsx';
import { Panel } from '../../components/panel.tsx';
import { RequestMessage } from '../../components/request-message.tsx';
import { useResource } from '../../components/resource.ts';
import { RunReason } from '../../components/run-reason.tsx';
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
const TEXTS = ['scenario', 'serial', 'part', 'batch', 'operator', 'since', 'until'] as const;
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
  const given = [...TEXTS, 'hardware'].filter((name) => query.get(name)).length;
  return (
    <div class="stack">
      <div class="filters filters-first">
        <Field
          label={text.filters.search}
          placeholder={text.searchHint}
          type="search"
          value={query.get('search') ?? ''}
          onInput={(value) => setFilter('search', value)}
        />
        <Choice
          label={text.filters.status}
          value={query.get('status') ?? ''}
          onChange={(value) => setFilter('status', value)}
          options={[['', text.all], ...STATES.map((one) => [one, messages.value.state[one] ?? one] as const)]}
        />
      </div>
      <details open={given > 0}>
        <summary>{text.moreFilters(given)}</summary>
        <div class="filters">
          {TEXTS.map((name) => (
            <Field
              key={name}
              label={text.filters[name]}
              value={query.get(name) ?? ''}
              onInput={(value) => setFilter(name, value)}
              {...(name === 'since' || name === 'until' ? { placeholder: 'YYYY-MM-DD' } : {})}
            />
          ))}
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
      </details>
      <LinkFilters />
    </div>
  );
}

/** Filters that a link has set and that nobody types. */
const BY_LINK = ['failed', 'version', 'rig'] as const;

export function LinkFilters() {
  const text = messages.value.history;
  const { query } = place.value;
  const given = BY_LINK.flatMap((name) => {
    const value = query.get(name);
    return value ? [{ name, value }] : [];
  });
  if (given.length === 0) return null;
  return (
    <div class="row">
      {given.map(({ name, value }) => (
        <Button key={name} onClick={() => setFilter(name, '')}>
          {text.only[name](name === 'version' ? value.slice(0, 12) : value)} <Icon name="cross" />
          <span class="visually-hidden">{text.removeFilter}</span>
        </Button>
      ))}
    </div>
  );
}

/** A column that the list can be sorted by. @param down where the column has a second direction */
function SortHead({ name, up, down }: { name: string; up: RunSort; down?: RunSort }) {
  const sort = place.value.query.get('sort') ?? 'newest';
  const isUp = sort === up;
  const isDown = sort === down;
  const next = isDown || (down === undefined && isUp) ? (down === undefined ? 'newest' : up) : (down ?? up);
  return (
    <th scope="col" aria-sort={isUp ? 'ascending' : isDown ? 'descending' : 'none'}>
      <button
        type="button"
        class="sort-head"
        title={messages.value.history.sort}
        onClick={() => setFilter('sort', next === 'newest' ? '' : next)}
      >
        {name} <span aria-hidden="true">{isUp ? '▲' : isDown ? '▼' : ''}</span>
      </button>
    </th>
  );
}

function Table({ runs }: { runs: readonly RunView[] }) {
  const text = messages.value.history;
  return (
    <TableFrame label={messages.value.views.history}>
      <table>
        <thead>
          <tr>
            <SortHead name={text.started} up="oldest" down="newest" />
            <SortHead name={text.state} up="status" />
            <SortHead name={text.filters.serial} up="serial" />
            <SortHead name={text.filters.scenario} up="scenario" />
            <SortHead name={text.filters.operator} up="operator" />
            <th scope="col">{text.firstFailed}</th>
          </tr>
        </thead>
        <tbody>
          {runs.map((run) => (
            <tr key={run.run_id}>
              <td class="nowrap">
                <a href={addressOf('history', run.run_id)}>{formatDateTime(run.started_at)}</a>
                <div class="mono muted">{run.run_id}</div>
              </td>
              <td>
                <StateMark state={run.status} />
                <HardwareMark run={run} />
              </td>
              <td>{run.unit_under_test ?? '–'}</td>
              <td>{run.scenario_id}</td>
              <td>{run.operator ?? '–'}</td>
              <td class="clipped">
                <RunReason run={run} />
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
  if (run.mode !== 'execute')
    return (
      <span class="hardware-mark">{run.mode === 'dry-run' ? messages.value.history.dryRun : run.mode}</span>
    );
  if (run.simulated === null || run.bench === null)
    return <span class="hardware-mark">{messages.value.history.notRecorded}</span>;
  if (run.simulated) return <span class="hardware-mark">{text.mock}</span>;
  return run.bench ? <span class="hardware-mark">{text.bench}</span> : null;
}
