import type * as z from 'zod';
import type { MEASUREMENT_KEYS, SCENARIOS } from '../../../services/server/routes/statistics-schema.ts';
import { Choice, Fact, Field } from '../../components/field.tsx';
import { Message } from '../../components/message.tsx';
import { Panel } from '../../components/panel.tsx';
import { RequestMessage } from '../../components/request-message.tsx';
import { useResource } from '../../components/resource.ts';
import { TableFrame } from '../../components/table-frame.tsx';
import { formatDateTime, formatNumber, messages } from '../../messages/index.ts';
import { addressOf, place } from '../../navigation/route.ts';
import { filterIn, setFilter } from '../history/run-table.tsx';
import type { ListedScenario } from '../scenarios/scenarios-view.tsx';
import { Bars } from './bars.tsx';
import { checkName } from './check-name.ts';
import { distinctNames } from './check-words.ts';
import { MeasurementPanel } from './measurement-panel.tsx';

type Scenarios = z.output<typeof SCENARIOS>;
type Keys = z.output<typeof MEASUREMENT_KEYS>;

/** Yield, first failed checks and measurements of a selection of runs; the selection is in the address. */
export function StatisticsView() {
  const text = messages.value.statistics;
  const query = filterIn(place.value.query);
  const key = query.get('key');
  query.delete('key');
  const yields = useResource<Scenarios>(`/api/statistics/scenarios?${query}`);
  const keys = useResource<Keys>(`/api/statistics/measurements?${query}`);
  return (
    <div class="run-progress">
      <Panel title={messages.value.views.statistics}>
        <Filters origins={yields.data} />
        {yields.fault === undefined ? null : <RequestMessage fault={yields.fault} />}
        {yields.data ? (
          <Yields data={yields.data} measurements={keys.data?.measurements ?? []} query={query} />
        ) : null}
      </Panel>
      <Panel
        title={text.measurements}
        aside={
          <a class="button button-plain" href={`/api/statistics/measurements?${query}&format=csv`} download>
            CSV
          </a>
        }
      >
        {keys.fault === undefined ? null : <RequestMessage fault={keys.fault} />}
        {keys.data && keys.data.measurements.length === 0 ? <p class="muted">{text.none}</p> : null}
        {keys.data && keys.data.measurements.length > 0 ? (
          <Measurements data={keys.data} chosen={key} />
        ) : null}
      </Panel>
      {key === null ? null : <MeasurementPanel id={key} query={query} />}
    </div>
  );
}

function Filters({ origins }: { origins: Pick<Scenarios, 'versions' | 'rigs'> | undefined }) {
  const text = messages.value.history;
  const { query } = place.value;
  const scenarios = useResource<{ scenarios: ListedScenario[] }>('/api/scenarios').data?.scenarios ?? [];
  return (
    <div class="filters">
      <Choice
        label={text.filters.scenario}
        value={query.get('scenario') ?? ''}
        onChange={chooseScenario}
        options={[['', text.all], ...scenarios.map(({ id, name }) => [id, name] as const)]}
      />
      <Choice
        label={text.filters.hardware}
        value={query.get('hardware') ?? 'real'}
        onChange={(value) => setFilter('hardware', value)}
        options={[
          ['real', messages.value.mode.real],
          ['bench', messages.value.mode.bench],
          ['mock', messages.value.mode.mock],
        ]}
      />
      {(['serial', 'part', 'batch', 'operator', 'since', 'until'] as const).map((name) => (
        <Field
          key={name}
          label={text.filters[name]}
          value={query.get(name) ?? ''}
          onInput={(value) => setFilter(name, value)}
          {...(name === 'since' || name === 'until' ? { placeholder: 'YYYY-MM-DD' } : {})}
        />
      ))}
      {query.get('scenario') ? (
        <Choice
          label={text.filters.version}
          value={query.get('version') ?? ''}
          onChange={(value) => setFilter('version', value)}
          options={[
            ['', text.all],
            ...withChosen(
              (origins?.versions ?? []).map(
                ({ version, runs, last_at }) =>
                  [version, `${version.slice(0, 8)} · ${runs} · ${formatDateTime(last_at)}`] as const,
              ),
              query.get('version'),
            ),
          ]}
        />
      ) : null}
      <Choice
        label={text.filters.rig}
        value={query.get('rig') ?? ''}
        onChange={(value) => setFilter('rig', value)}
        options={[
          ['', text.all],
          ...withChosen(
            (origins?.rigs ?? []).map(({ rig, runs }) => [rig, `${rig} · ${runs}`] as const),
            query.get('rig'),
          ),
        ]}
      />
    </div>
  );
}

/** A text belongs to one scenario. */
function chooseScenario(value: string): void {
  setFilter('version', '');
  setFilter('scenario', value);
}

type Option = readonly [value: string, text: string];

/** What is chosen stays among the options, also where no run has it. */
const withChosen = (options: Option[], chosen: string | null): Option[] =>
  chosen === null || chosen === '' || options.some(([value]) => value === chosen)
    ? options
    : [...options, [chosen, chosen.slice(0, 24)]];

const percent = (value: number | null): string =>
  value === null ? '–' : `${formatNumber(value * 100, 1)} %`;

interface YieldsProps {
  data: Scenarios;
  /** By which bars are named. */
  measurements: Keys['measurements'];
  query: URLSearchParams;
}

function Yields({ data, measurements, query }: YieldsProps) {
  const text = messages.value.statistics;
  if (data.runs === 0) return <Message kind="note">{text.noRuns}</Message>;
  const nameOf = (bar: Scenarios['pareto'][number]): string => {
    const measured = measurements.find(({ key }) => key === bar.key);
    if (measured) return `${measured.block}: ${checkName(measured)}`;
    if (bar.key !== null) return bar.text;
    return bar.text === 'other' ? text.others : bar.text === 'unknown' ? text.notNamed : bar.text;
  };
  const runsOf = (more: Record<string, string>) =>
    addressOf('history', '', new URLSearchParams([...query, ...Object.entries(more)]));
  return (
    <>
      <dl class="facts">
        <Fact name={text.runs}>{data.runs}</Fact>
        <Fact name={text.yield}>{percent(data.yield)}</Fact>
        <Fact name={text.firstPass}>{percent(data.first_pass.yield)}</Fact>
        <Fact name={text.units}>{data.units_total}</Fact>
        {data.damaged_records > 0 ? <Fact name={text.damaged}>{data.damaged_records}</Fact> : null}
      </dl>
      <div class="run-columns">
        <div class="stack">
          <h3>{text.overTime}</h3>
          <Bars
            bars={data.over_time.map((period) => ({
              name: formatDateTime(period.from).split(',')[0] ?? period.from,
              share: period.yield ?? 0,
              text: `${percent(period.yield)} (${period.passed} / ${period.runs})`,
              href: runsOf({ since: period.from.slice(0, 10), until: period.from.slice(0, 10) }),
            }))}
          />
        </div>
        <div class="stack">
          <h3>{text.pareto}</h3>
          {data.pareto.length === 0 ? <p class="muted">{text.noFailures}</p> : null}
          <Bars
            bars={data.pareto.map((bar) => ({
              name: nameOf(bar),
              share: bar.count / (data.pareto[0]?.count || 1),
              text: `${bar.count} · Σ ${percent(bar.cumulative)}`,
              href: runsOf({ status: 'failed', ...(bar.key === null ? {} : { failed: bar.key }) }),
            }))}
          />
        </div>
      </div>
    </>
  );
}

function Measurements({ data, chosen }: { data: Keys; chosen: string | null }) {
  const text = messages.value.statistics;
  const names = distinctNames(data.measurements, checkName);
  return (
    <TableFrame label={text.measurements}>
      <table>
        <thead>
          <tr>
            <th scope="col">{text.check}</th>
            <th scope="col">{text.block}</th>
            <th scope="col">{text.sensor}</th>
            <th scope="col" class="number">
              {text.count}
            </th>
            <th scope="col" class="number">
              {text.yield}
            </th>
          </tr>
        </thead>
        <tbody>
          {data.measurements.map((one, at) => {
            const query = new URLSearchParams(place.value.query);
            query.set('key', one.key);
            return (
              <tr key={one.key} {...(one.key === chosen ? { 'aria-current': true as const } : {})}>
                <td>
                  <a href={addressOf('statistics', '', query)}>{names[at]}</a>
                </td>
                <td>{one.block}</td>
                <td class="mono">{one.sensor ?? '–'}</td>
                <td class="number">{one.count}</td>
                <td class="number">{percent(one.yield)}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </TableFrame>
  );
}
