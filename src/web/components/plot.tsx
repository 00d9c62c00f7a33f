import { useEffect, useRef } from 'preact/hooks';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { formatNumber, messages } from '../messages/index.ts';
import { theme } from '../preferences/preferences.ts';

export interface PlotProps {
  title: string;
  unit: string | null;
  /** Of `x`; seconds by default. */
  xUnit?: string;
  x: readonly number[];
  y: readonly (number | null)[];
  /** Values of another run, drawn thinner behind these. */
  behind?: { x: readonly number[]; y: readonly (number | null)[] };
  limits: readonly { low: number | null; high: number | null }[];
}

const HEIGHT = 180;
/** So many values are drawn as points too: a single one would be invisible. */
const FEW = 40;

/** Values over time with their limits drawn in. What it shows is also said in words below it. */
export function Plot({ title, unit, xUnit = 's', x, y, behind, limits }: PlotProps) {
  const place = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot | null>(null);
  const shown = useRef(limits);
  shown.current = limits;
  const chosen = theme.value;
  useEffect(() => {
    // Its colours are those of the theme.
    const element = place.current;
    if (!element) return;
    const made = new uPlot(
      optionsOf(element, xUnit, { limits: () => shown.current, hasOther: behind !== undefined }),
      behind ? [[], [], []] : [[], []],
      element,
    );
    plot.current = made;
    const observer = new ResizeObserver(() => made.setSize({ width: element.clientWidth, height: HEIGHT }));
    observer.observe(element);
    return () => {
      observer.disconnect();
      made.destroy();
      plot.current = null;
    };
  }, [chosen, xUnit, behind === undefined]);
  useEffect(() => {
    const own: uPlot.AlignedData = [x as number[], y as (number | null)[]];
    plot.current?.setData(
      behind ? uPlot.join([own, [behind.x as number[], behind.y as (number | null)[]]]) : own,
    );
  });
  const values = y.filter((value) => value !== null);
  const text = messages.value.plot;
  const end = unit === null ? '' : ` ${unit}`;
  const last = values.at(-1);
  return (
    <figure class="plot">
      <figcaption>
        <strong>{title}</strong>
        {last === undefined ? null : (
          <span class="number">
            {text.last} {formatNumber(last)}
            {end} · {text.min} {formatNumber(least(values))} · {text.max} {formatNumber(greatest(values))}
          </span>
        )}
      </figcaption>
      <div ref={place} aria-hidden="true" />
    </figure>
  );
}

const least = (values: readonly number[]): number => values.reduce((one, other) => Math.min(one, other));
const greatest = (values: readonly number[]): number => values.reduce((one, other) => Math.max(one, other));

function optionsOf(
  element: HTMLElement,
  xUnit: string,
  { limits, hasOther }: { limits: () => PlotProps['limits']; hasOther: boolean },
): uPlot.Options {
  const style = getComputedStyle(element);
  const colour = (name: string) => style.getPropertyValue(name).trim();
  const grid = { stroke: colour('--line'), width: 1 };
  const axis = { stroke: colour('--muted'), grid, ticks: grid, font: `12px ${colour('--font')}` };
  return {
    width: element.clientWidth || 300,
    height: HEIGHT,
    legend: { show: false },
    cursor: { show: false },
    scales: { x: { time: false }, y: { range: (_, low, high) => rangeWith(low, high, limits()) } },
    axes: [
      { ...axis, values: (_, ticks) => ticks.map((tick) => `${formatNumber(tick)} ${xUnit}`.trim()) },
      { ...axis, size: 64, values: (_, ticks) => ticks.map((tick) => formatNumber(tick)) },
    ],
    series: [
      {},
      {
        stroke: colour('--plot'),
        width: hasOther ? 2 : 1,
        spanGaps: false,
        points: { show: (plot) => plot.data[0].length < FEW, size: 5 },
      },
      ...(hasOther
        ? [{ stroke: colour('--muted'), width: 0.5, spanGaps: false, points: { show: false } }]
        : []),
    ],
    hooks: { draw: [(plot) => drawLimits(plot, limits(), colour('--plot-limit'))] },
  };
}

function rangeWith(
  low: number | null,
  high: number | null,
  limits: readonly { low: number | null; high: number | null }[],
): [number, number] {
  const all = [low, high, ...limits.flatMap((one) => [one.low, one.high])].filter((one) => one !== null);
  if (all.length === 0) return [0, 1];
  const [from, to] = [least(all), greatest(all)];
  const margin = (to - from || Math.abs(to) || 1) * 0.1;
  return [from - margin, to + margin];
}

function drawLimits(
  plot: uPlot,
  limits: readonly { low: number | null; high: number | null }[],
  colour: string,
): void {
  const { ctx, bbox } = plot;
  ctx.save();
  ctx.strokeStyle = colour;
  ctx.setLineDash([6, 4]);
  ctx.lineWidth = 2;
  for (const value of limits.flatMap(({ low, high }) => [low, high])) {
    if (value === null) continue;
    const y = plot.valToPos(value, 'y', true);
    ctx.beginPath();
    ctx.moveTo(bbox.left, y);
    ctx.lineTo(bbox.left + bbox.width, y);
    ctx.stroke();
  }
  ctx.restore();
}
