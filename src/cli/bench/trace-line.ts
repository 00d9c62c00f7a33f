import type { TraceEntry } from '../../bench/trace/trace-entry.ts';
import type { Paint } from '../diagnostics/colour.ts';

const TIME_COLUMNS = 11;
const DEVICE_COLUMNS = 9;
/** Bytes of a frame that are shown; a report of the USB chip has 64, and most of them say nothing. */
const MAX_BYTES = 24;

/** One entry in columns: time in seconds, device, direction, bytes or what happened, note. */
export function traceLine(entry: TraceEntry, paint: Paint): string {
  const time = (entry.at_ms / 1000).toFixed(3).padStart(TIME_COLUMNS);
  const [direction, text] = eventText(entry, paint);
  const note = entry.note !== undefined && entry.kind !== 'note' ? `  ${paint.yellow(entry.note)}` : '';
  return `${paint.dim(time)}  ${entry.device.padEnd(DEVICE_COLUMNS)}  ${direction}  ${text}${note}`;
}

function eventText(entry: TraceEntry, paint: Paint): [direction: string, text: string] {
  switch (entry.kind) {
    case 'in':
      return [paint.cyan('in '), bytesText(entry.bytes)];
    case 'out':
      return [paint.green('out'), bytesText(entry.bytes)];
    case 'coil':
      return ['   ', paint.bold(`coil ${entry.coil} ${entry.on ? 'on' : 'off'}`)];
    case 'drive':
      return ['   ', paint.bold(`drive ${entry.enabled ? `${entry.duty}/255` : 'off'}`)];
    case 'motion': {
      const state = entry.energized ? 'energized' : 'de-energized';
      return ['   ', paint.bold(`motor ${state}, velocity ${entry.velocity}, position ${entry.position}`)];
    }
    case 'reenumerate':
      return ['   ', paint.bold(`leaves the bus for ${entry.away_ms} ms`)];
    case 'knobs':
      return ['   ', paint.yellow(`knobs ${JSON.stringify(entry.knobs)}`)];
    case 'note':
      return ['   ', paint.yellow(entry.note ?? '')];
  }
}

function bytesText(bytes = ''): string {
  const pairs = bytes.split(' ');
  if (pairs.length <= MAX_BYTES) return bytes;
  return `${pairs.slice(0, MAX_BYTES).join(' ')} ... (${pairs.length} bytes)`;
}
