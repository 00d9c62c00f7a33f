import type { ComponentChildren } from 'preact';
import type { Verification } from '../../../scenario/records/verify-record.ts';
import { limitText } from '../../components/limit-bar.tsx';
import { Panel } from '../../components/panel.tsx';
import { Plot } from '../../components/plot.tsx';
import { RequestMessage } from '../../components/request-message.tsx';
import { useResource } from '../../components/resource.ts';
import { StateMark } from '../../components/state-mark.tsx';
import { TableFrame } from '../../components/table-frame.tsx';
import { formatDateTime, formatNumber, messages } from '../../messages/index.ts';
import { addressOf } from '../../navigation/route.ts';
import { limitsOf } from '../../run/run-model.ts';
import { valueText } from '../run/check-table.tsx';
import { inSeconds } from '../run/run-plots.tsx';
import { checkName } from '../statistics/check-name.ts';
import { type ComparedRow, comparedRows } from './compared-rows.ts';
import { modelOf, type Report, reportPath, verifyPath } from './report.ts';
import { HardwareMark } from './run-table.tsx';

/** Two records side by side: what they were, values with their limits, and plots laid over each other. */
export function ComparePage({ ids: [one, other] }: { ids: readonly [string, string] }) {
  const text = messages.value.history;
  const resources = [useResource<Report>(reportPath(one)), useResource<Report>(reportPath(other))];
  const faults = resources.flatMap(({ fault }) => fault ?? []);
  const runs = resources.flatMap(({ data }) => data ?? []);
  const back = <a href={addressOf('history', one)}>{text.backToRecord}</a>;
  if (faults.length > 0)
    return (
      <Panel title={text.comparison} aside={back}>
        {faults.map((fault, index) => (
          <RequestMessage key={index === 0 ? one : other} fault={fault} />
        ))}
      </Panel>
    );
  const [left, right] = runs;
  if (!left || !right) return <p class="muted">{messages.value.loading}</p>;
  return (
    <div class="stack">
      <Panel title={text.comparison} aside={back}>
        <Facts runs={[left, right]} />
      </Panel>
      <Panel title={messages.value.run.checks}>
        <Measurements runs={[left, right]} />
      </Panel>
      <Plots runs={[left, right]} />
    </div>
  );
}

type Pair = readonly [Report, Report];

function Facts({ runs }: { runs: Pair }) {
  const text = messages.value.history;
  const facts: [string, (run: Report) => string | null][] = [
    [text.filters.serial, (run) => run.unit_under_test],
    [text.filters.scenario, (run) => run.scenario_id],
    [text.scenarioText, (run) => run.scenario_sha256.slice(0, 12)],
    [text.filters.operator, (run) => run.operator],
    [text.started, (run) => formatDateTime(run.started_at)],
    [text.station, (run) => run.station?.host ?? null],
    [text.parameters, (run) => namedValues(run.variables)],
    [messages.value.run.calibrations, calibrationsOf],
  ];
  return (
    <Sides runs={runs} label={text.comparison}>
      <tr>
        <th scope="row">{text.state}</th>
        {runs.map((run) => (
          <td key={run.run_id}>
            <StateMark state={run.status} />
          </td>
        ))}
      </tr>
      {facts.map(([name, of]) => {
        const [one, other] = [of(runs[0]), of(runs[1])];
        return (
          <tr key={name} class={one === other ? '' : 'is-different'}>
            <th scope="row">{name}</th>
            <td>{one ?? '–'}</td>
            <td>
              {other ?? '–'}
              <Different when={one !== other} />
            </td>
          </tr>
        );
      })}
      <tr>
        <th scope="row">{text.evidence}</th>
        {runs.map((run) => (
          <td key={run.run_id}>
            <Seal runId={run.run_id} />
          </td>
        ))}
      </tr>
    </Sides>
  );
}

/** What the record is worth: its files against its seal. */
function Seal({ runId }: { runId: string }) {
  const { data, fault } = useResource<Verification>(verifyPath(runId));
  if (fault !== undefined) return <RequestMessage fault={fault} />;
  return <>{data ? messages.value.history.evidenceState(data.status) : messages.value.loading}</>;
}

/** State is never told by colour alone. */
const Different = ({ when }: { when: boolean }) =>
  when ? <span class="difference-mark">{messages.value.history.differs}</span> : null;

const namedValues = (values: Report['variables']): string =>
  Object.entries(values)
    .map(([name, given]) => `${name} = ${typeof given === 'object' ? wordsOf(given) : String(given)}`)
    .join(', ');

const wordsOf = ({ value, unit }: { value: unknown; unit?: string | null }): string =>
  unit ? `${String(value)} ${unit}` : String(value);

const calibrationsOf = ({ identity }: Report): string | null =>
  identity.calibrations?.map(({ sensor, id }) => `${sensor}: ${id}`).join(', ') ?? null;

function Sides({ runs, label, children }: { runs: Pair; label: string; children: ComponentChildren }) {
  return (
    <TableFrame label={label}>
      <table class="compared">
        <thead>
          <tr>
            <td />
            {runs.map((run, index) => (
              <th scope="col" key={`${index} ${run.run_id}`}>
                <a class="mono" href={addressOf('history', run.run_id)}>
                  {run.run_id}
                </a>{' '}
                <HardwareMark run={run} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </TableFrame>
  );
}

function Measurements({ runs: [left, right] }: { runs: Pair }) {
  const text = messages.value.history;
  const rows = comparedRows(left.measurements, right.measurements);
  if (rows.length === 0) return <p class="muted">{messages.value.run.noChecks}</p>;
  return (
    <Sides runs={[left, right]} label={messages.value.run.checks}>
      {rows.map(({ key, one, other, hasOtherLimits, difference }) => {
        const isDifferent = hasOtherLimits || !one || !other || one.outcome !== other.outcome;
        return (
          <tr key={key} class={isDifferent ? 'is-different' : ''}>
            <th scope="row">
              <span>{nameOf(one ?? other)}</span>
              <div class="muted">{(one ?? other)?.block}</div>
            </th>
            <Cell row={one} />
            <td class="number">
              <Value row={other} />
              {difference === null || difference === 0 ? null : (
                <div class="muted">
                  {text.difference} {difference > 0 ? '+' : ''}
                  {formatNumber(difference, 4)} {one?.unit ?? ''}
                </div>
              )}
              {hasOtherLimits ? <span class="difference-mark">{text.otherLimits}</span> : null}
            </td>
          </tr>
        );
      })}
    </Sides>
  );
}

const nameOf = (row: ComparedRow['one']): string => (row ? checkName({ ...row, low: null, high: null }) : '');

const Cell = ({ row }: { row: ComparedRow['one'] }) => (
  <td class="number">
    <Value row={row} />
  </td>
);

function Value({ row }: { row: ComparedRow['one'] }) {
  if (!row) return <span class="difference-mark">{messages.value.history.notInRun}</span>;
  return (
    <>
      <StateMark state={row.outcome} /> {valueText({ actual: row.value, unit: row.unit })}
      <div class="muted">{limitText(row.low, row.high, row.unit)}</div>
    </>
  );
}

/** The second run lies behind the first one, from the start of each; a sensor with two units is not laid over itself. */
function Plots({ runs: [left, right] }: { runs: Pair }) {
  const text = messages.value.history;
  const [model, behind] = [modelOf(left), modelOf(right)];
  const sensors = [...new Set([...model.traces.keys(), ...behind.traces.keys()])];
  if (sensors.length === 0) return null;
  const seconds = (t: readonly number[]) => t.map((ms) => ms / 1000);
  return (
    <Panel title={messages.value.run.plots}>
      <p class="muted">{text.laidOver(left.run_id, right.run_id)}</p>
      <div class="plots">
        {sensors.map((sensor) => {
          const [one, other] = [model.traces.get(sensor), behind.traces.get(sensor)];
          const unit = (one ?? other)?.unit ?? null;
          const isComparable = other !== undefined && other.unit === unit;
          return (
            <Plot
              key={sensor}
              title={unit === null ? sensor : `${sensor} (${unit})`}
              unit={unit}
              x={seconds(one?.t ?? [])}
              y={one?.v ?? []}
              {...(isComparable ? { behind: { x: seconds(other.t), y: other.v } } : {})}
              limits={limitsOf(one ? model : behind, sensor).map(inSeconds)}
            />
          );
        })}
      </div>
    </Panel>
  );
}
