import type { BenchTrace } from '../../../services/server/routes/bench.ts';

const OWN = ['n', 'at', 'at_ms', 'device', 'kind', 'bytes'];
const ARROWS: Readonly<Record<string, string>> = { in: '→', out: '←' };

/** One entry of the trace as a line: a frame by its bytes, anything else by what changed. */
export function traceWords(entry: BenchTrace['trace'][number]): string {
  const { kind, bytes } = entry;
  const rest = Object.entries(entry)
    .filter(([name]) => !OWN.includes(name))
    .map(([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`);
  const head = typeof bytes === 'string' ? `${ARROWS[kind] ?? kind} ${bytes}` : kind;
  return [head, ...rest].join(' ');
}
