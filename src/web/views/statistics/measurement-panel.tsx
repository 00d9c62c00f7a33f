import type * as z from 'zod';
import type { MEASUREMENT } from '../../../services/server/routes/statistics-schema.ts';
import { Fact } from '../../components/field.tsx';
import { limitText } from '../../components/limit-bar.tsx';
import { Panel } from '../../components/panel.tsx';
import { Plot } from '../../components/plot.tsx';
import { RequestMessage } from '../../components/request-message.tsx';
import { useResource } from '../../components/resource.ts';
import { TableFrame } from '../../components/table-frame.tsx';
import { formatDateTime, formatNumber, messages } from '../../messages/index.ts';
import { addressOf } from '../../navigation/route.ts';
import { checkName } from './check-name.ts';
import { limitSteps } from './limit-steps.ts';

type Measurement = z.output<typeof MEASUREMENT>;

const number = (value: number | null): string => (value === null ? '–' : formatNumber(value, 5));

/** By its newest limits. */
function nameOf(data: Measurement): string {
  const { low = null, high = null } = data.limits.at(-1) ?? {};
  return checkName({ ...data, low, high });
}

/** One measurement: capability for each period of limits, histogram, run chart. */
export function MeasurementPanel({ id, query }: { id: string; query: URLSearchParams }) {
  const text = messages.value.statistics;
  const asked = new URLSearchParams([...query, ['key', id]]);
  const { data, fault } = useResource<Measurement>(`/api/statistics/measurement?${asked}`);
  if (fault !== undefined) return <RequestMessage fault={fault} />;
  if (!data) return <p class="muted">{messages.value.loading}</p>;
  return (
    <Panel
      title={`${data.block}: ${nameOf(data)}`}
      aside={
        <a class="button button-plain" href={`/api/statistics/measurement?${asked}&format=csv`} download>
          CSV
        </a>
      }
    >
      <dl class="facts">
        <Fact name={text.count}>{data.values.count}</Fact>
        <Fact name={text.mean}>{number(data.values.mean)}</Fact>
        <Fact name={text.deviation}>{number(data.values.standard_deviation)}</Fact>
        <Fact name={messages.value.plot.min}>{number(data.values.min)}</Fact>
        <Fact name={messages.value.plot.max}>{number(data.values.max)}</Fact>
        <Fact name={text.drift}>
          {data.drift === null
            ? '–'
            : text.perDay(number(data.drift.per_day), number(data.drift.low95), number(data.drift.high95))}
        </Fact>
      </dl>
      {data.values.count === 0 ? (
        <p class="muted">{text.noNumbers}</p>
      ) : (
        <>
          <Capability data={data} />
          <Histogram data={data} />
          <Chart data={data} />
        </>
      )}
    </Panel>
  );
}

function Capability({ data }: { data: Measurement }) {
  const text = messages.value.statistics;
  return (
    <TableFrame label={text.capability}>
      <table>
        <thead>
          <tr>
            <th scope="col">{text.limits}</th>
            <th scope="col">{text.period}</th>
            {['n', 'Cp', 'Cpk', 'Pp', 'Ppk'].map((name) => (
              <th scope="col" class="number" key={name}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {data.limits.map((group) => (
            <tr key={group.since}>
              <td>{limitText(group.low, group.high, data.unit) || text.noLimits}</td>
              <td>
                {formatDateTime(group.since)} – {formatDateTime(group.until)}
                {group.capability?.caution ? <p class="muted">{text.caution}</p> : null}
              </td>
              <td class="number">{group.count}</td>
              <td class="number">{number(group.capability?.cp ?? null)}</td>
              <td class="number">{number(group.capability?.cpk.value ?? null)}</td>
              <td class="number">{number(group.capability?.pp ?? null)}</td>
              <td class="number">{number(group.capability?.ppk.value ?? null)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </TableFrame>
  );
}

function Histogram({ data }: { data: Measurement }) {
  const text = messages.value.statistics;
  const most = Math.max(1, ...data.histogram.map(({ count }) => count));
  const width = 100 / Math.max(1, data.histogram.length);
  if (data.histogram.length === 0) return null;
  const words = data.histogram
    .map(({ low, high, count }) => `${number(low)}–${number(high)}: ${count}`)
    .join('; ');
  return (
    <figure class="histogram">
      <figcaption>
        <strong>{text.histogram}</strong>
        <span class="number">
          {number(data.histogram[0]?.low ?? null)} … {number(data.histogram.at(-1)?.high ?? null)}{' '}
          {data.unit ?? ''}
        </span>
      </figcaption>
      <svg viewBox="0 0 100 40" preserveAspectRatio="none" role="img" aria-label={words}>
        {data.histogram.map(({ low, count }, at) => {
          const height = (count / most) * 38;
          return (
            <rect
              key={low}
              class="bar-fill"
              x={at * width}
              y={40 - height}
              width={width * 0.92}
              height={height}
            />
          );
        })}
      </svg>
    </figure>
  );
}

const guidesOf = ({ mean, low, high }: { mean: number; low: number; high: number }) => [
  { low, high },
  { low: mean, high: mean },
];

function Chart({ data }: { data: Measurement }) {
  const text = messages.value.statistics;
  const { points } = data.chart;
  const marked = points.filter(({ rules }) => rules.length > 0);
  return (
    <>
      <Plot
        title={text.chart}
        unit={data.unit}
        xUnit=""
        x={points.map((_, at) => at + 1)}
        y={points.map(({ value }) => value)}
        limits={limitSteps(points)}
        guides={data.control_limits === null ? [] : guidesOf(data.control_limits)}
        marks={points.flatMap(({ rules }, at) => (rules.length > 0 ? [at + 1] : []))}
      />
      <p class="muted small">{text.chartWords(data.control_limits !== null)}</p>
      {marked.length === 0 ? null : (
        <div>
          <h3>{text.rules}</h3>
          <ul>
            {marked.slice(-20).map(({ run_id, rules, value }) => (
              <li key={run_id} class="plan-check">
                <a class="mono" href={addressOf('history', run_id)}>
                  {run_id}
                </a>
                <span>
                  {number(value)} · {text.rule(rules.join(', '))}
                </span>
              </li>
            ))}
          </ul>
        </div>
      )}
    </>
  );
}
