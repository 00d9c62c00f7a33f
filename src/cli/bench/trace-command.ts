import { paintFor } from '../diagnostics/colour.ts';
import { EXIT } from '../errors/exit-code.ts';
import type { FollowedLine, TraceQuestion } from './bench-client.ts';
import type { BenchCall } from './bench-command.ts';
import { traceLine } from './trace-line.ts';

/** `svcctl bench trace [DEVICE]`: columns for people; with `--json` one document, or a line for each entry followed. */
export async function traceCommand(call: BenchCall, device: string | undefined): Promise<number> {
  const { bench, options, io } = call;
  if (device !== undefined) await bench.device(device);
  const asked = { device, since: options.since };
  if (options.follow) {
    await follow(call, asked);
    return EXIT.ok;
  }
  const { trace, next, lost } = await bench.trace(asked);
  if (options.json) io.stdout.write(`${JSON.stringify({ ok: true, trace, next, lost })}\n`);
  else {
    const show = shower(call);
    if (lost > 0) show({ lost });
    for (const entry of trace) show(entry);
  }
  return EXIT.ok;
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
