import type { BenchTrace } from '../../../services/server/routes/bench.ts';

const OWN = ['n', 'at', 'at_ms', 'device', 'kind', 'bytes'];
/** Bytes of a frame that are shown; the file of the bench has all. */
const MOST_BYTES = 24;
const ARROWS: Readonly<Record<string, string>> = { in: '→', out: '←' };

/** One entry of the trace as a line: a frame by its bytes, anything else by what changed. */
export function traceWords(entry: BenchTrace['trace'][number]): string {
  const { kind, bytes } = entry;
  const rest = Object.entries(entry)
    .filter(([name]) => !OWN.includes(name))
    .map(([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`);
  const head = typeof bytes === 'string' ? `${ARROWS[kind] ?? kind} ${shortened(bytes)}` : kind;
  return [head, ...rest].join(' ');
}

function shortened(hex: string): string {
  const bytes = hex.split(' ');
  return bytes.length <= MOST_BYTES ? hex : `${bytes.slice(0, MOST_BYTES).join(' ')} … (${bytes.length} B)`;
}
