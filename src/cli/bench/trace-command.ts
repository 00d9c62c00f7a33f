import type { TraceEntry } from '../../bench/trace/trace-entry.ts';
import { type Paint, paintFor } from '../diagnostics/colour.ts';
import type { FollowedLine, TraceQuestion } from './bench-client.ts';
import type { BenchCall } from './bench-command.ts';

const TIME_COLUMNS = 11;
const DEVICE_COLUMNS = 9;
/** Bytes of a frame that are shown; a report of the USB chip has 64, and most of them say nothing. */
const MAX_BYTES = 24;

/** `svcctl bench trace [DEVICE]`: columns for people; with `--json` one document, or a line for each entry followed. */
export async function traceCommand(call: BenchCall, device: string | undefined): Promise<void> {
  const { bench, options, io } = call;
  if (device !== undefined) await bench.device(device);
  const asked = { device, since: options.since };
  if (options.follow) {
    await follow(call, asked);
    return;
  }
  const { trace, next, lost } = await bench.trace(asked);
  if (options.json) io.stdout.write(`${JSON.stringify({ ok: true, trace, next, lost })}\n`);
  else {
    const show = shower(call);
    if (lost > 0) show({ lost });
    for (const entry of trace) show(entry);
  }
}

/** A reader that went away (`| head`) ends the following; the bench ends it by going away itself. */
async function follow(call: BenchCall, asked: TraceQuestion): Promise<void> {
  const stop = new AbortController();
  const end = () => stop.abort();
  call.io.stdout.once('error', end).once('close', end);
  const show = shower(call);
  for await (const line of call.bench.follow(asked, stop.signal)) show(line);
}

function shower({ io, options }: BenchCall): (line: FollowedLine) => void {
  const paint = paintFor(io.stdout, io.env);
  return (line) => {
    if (!('n' in line))
      io.stderr.write(
        `${line.lost} earlier entries are no longer in the bench's memory; its trace file has them\n`,
      );
    else io.stdout.write(`${options.json ? JSON.stringify(line) : traceLine(line, paint)}\n`);
  };
}

/** One entry in columns: time in seconds, device, direction, bytes or what happened, note. */
function traceLine(entry: TraceEntry, paint: Paint): string {
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
    case 'supply':
      return ['   ', paint.bold(`supply of the actuators ${entry.closed ? 'on' : 'off'}`)];
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
