import type { TracePage } from '../../bench/trace/trace-log.ts';
import { paintFor } from '../diagnostics/colour.ts';
import { EXIT } from '../errors/exit-code.ts';
import type { BenchCall } from './bench-command.ts';
import { traceLine } from './trace-line.ts';

/** How long the bench may hold a request of a follower. */
const WAIT_MS = 20_000;

/** `svcctl bench trace [DEVICE]`: columns for people; with `--json` one document, or a line for each entry followed. */
export async function traceCommand(call: BenchCall, device: string | undefined): Promise<number> {
  const { bench, options, io } = call;
  if (device !== undefined) await bench.device(device);
  let page = await bench.trace({ device, since: options.since });
  if (!options.follow && options.json) {
    io.stdout.write(`${JSON.stringify({ ok: true, trace: page.trace, next: page.next, lost: page.lost })}\n`);
    return EXIT.ok;
  }
  const show = shower(call);
  show(page);
  // A reader that went away (`| head`) ends the following; the bench ends it by going away itself.
  let isRead = true;
  const end = () => {
    isRead = false;
  };
  io.stdout.once('error', end).once('close', end);
  while (options.follow && isRead) {
    page = await bench.trace({ device, since: page.next, waitMs: WAIT_MS });
    show(page);
  }
  return EXIT.ok;
}

function shower({ io, options }: BenchCall): (page: TracePage) => void {
  const paint = paintFor(io.stdout, io.env);
  return ({ trace, lost }) => {
    if (lost > 0)
      io.stderr.write(
        `${lost} earlier entries are no longer in the bench's memory; its trace file has them\n`,
      );
    for (const entry of trace)
      io.stdout.write(`${options.json ? JSON.stringify(entry) : traceLine(entry, paint)}\n`);
  };
}
