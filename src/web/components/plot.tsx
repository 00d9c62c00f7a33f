import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { formatNumber, messages } from '../messages/index.ts';
import { theme } from '../preferences/preferences.ts';
import { Button } from './button.tsx';
import { drawLimits, drawMarks, type Guide, type Limit, limitRange } from './plot-limits.ts';

export interface PlotProps {
  title: string;
  unit: string | null;
  /** Of `x`; seconds by default. */
  xUnit?: string;
  x: readonly number[];
  y: readonly (number | null)[];
  /** Values of another run, drawn thinner behind these. */
  behind?: { x: readonly number[]; y: readonly (number | null)[] };
  limits: readonly Limit[];
  /** Lines over the whole width that judge nothing. */
  guides?: readonly Guide[];
  /** `x` of the values that are pointed out by a ring. */
  marks?: readonly number[];
}

const HEIGHT = 180;
/** Steps between ticks where `x` counts. */
const WHOLE = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000];
/** So many values are drawn as points too: a single one would be invisible. */
const FEW = 40;

/** Values over time with their limits drawn in. What it shows is also said in words below it. */
export function Plot({ title, unit, xUnit = 's', x, y, behind, limits, guides, marks }: PlotProps) {
  const place = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot | null>(null);
  const shown = useRef<Shown>({ limits, guides: [], marks: [] });
  shown.current = { limits, guides: guides ?? [], marks: marks ?? [] };
  const [isZoomed, setZoomed] = useState(false);
  const chosen = theme.value;
  // Before the browser paints or prints: else the words below it would be newer than the curve.
  useLayoutEffect(() => {
    // Its colours are those of the theme.
    const element = place.current;
    if (!element) return;
    const made = new uPlot(
      optionsOf(element, xUnit, { shown: () => shown.current, hasOther: behind !== undefined, setZoomed }),
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
  useLayoutEffect(() => {
    const own: uPlot.AlignedData = [x as number[], y as (number | null)[]];
    // In one step, drawn at once.
    plot.current?.batch((made: uPlot) => {
      made.setData(
        behind ? uPlot.join([own, [behind.x as number[], behind.y as (number | null)[]]]) : own,
        !isZoomed,
      );
      // The scales stay while a part is shown; what is new is drawn all the same.
      if (isZoomed) made.redraw();
    });
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
      {isZoomed ? (
        <div class="no-print">
          <Button onClick={() => setZoomed(false)}>{text.whole}</Button>
        </div>
      ) : null}
    </figure>
  );
}

const least = (values: readonly number[]): number => values.reduce((one, other) => Math.min(one, other));
const greatest = (values: readonly number[]): number => values.reduce((one, other) => Math.max(one, other));

interface Shown {
  limits: readonly Limit[];
  guides: readonly Guide[];
  marks: readonly number[];
}

interface Interaction {
  shown: () => Shown;
  hasOther: boolean;
  setZoomed: (isZoomed: boolean) => void;
}

function optionsOf(
  element: HTMLElement,
  xUnit: string,
  { shown, hasOther, setZoomed }: Interaction,
): uPlot.Options {
  const style = getComputedStyle(element);
  const colour = (name: string) => style.getPropertyValue(name).trim();
  const grid = { stroke: colour('--line'), width: 1 };
  const axis = { stroke: colour('--muted'), grid, ticks: grid, font: `12px ${colour('--font')}` };
  return {
    width: element.clientWidth || 300,
    height: HEIGHT,
    legend: { show: false },
    // Drawing over a part of it shows that part; a double click, or the button below, shows all.
    cursor: {
      x: false,
      y: false,
      points: { show: false },
      drag: { x: true, y: false, dist: 10 },
      bind: {
        dblclick: (_plot, _target, handler) => (event: MouseEvent) => {
          setZoomed(false);
          return handler(event);
        },
      },
    },
    scales: {
      x: { time: false },
      y: { range: (_, low, high) => limitRange(low, high, [...shown().limits, ...shown().guides]) },
    },
    axes: [
      {
        ...axis,
        size: 32,
        ...(xUnit === '' ? { incrs: WHOLE } : {}),
        values: (_, ticks) => ticks.map((tick) => `${formatNumber(tick)} ${xUnit}`.trim()),
      },
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
        ? [
            {
              stroke: colour('--muted'),
              width: 0.5,
              spanGaps: false,
              points: { show: (plot: uPlot) => plot.data[0].length < FEW, size: 4 },
            },
          ]
        : []),
    ],
    hooks: {
      setSelect: [(plot) => plot.select.width > 0 && setZoomed(true)],
      draw: [
        (plot) => {
          const { limits, guides, marks } = shown();
          drawLimits(plot, { limits, guides }, { limit: colour('--plot-limit'), guide: colour('--muted') });
          drawMarks(plot, marks, colour('--plot-limit'));
        },
      ],
    },
  };
}
