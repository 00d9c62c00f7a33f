import { EXIT } from '../errors/exit-code.ts';
import type { BenchCall } from './bench-command.ts';
import { print } from './print.ts';

/** A day of stepped time is worked off in much less. */
const LIMIT_MS = 60_000;

/** `svcctl bench step MS` */
export async function stepCommand(call: BenchCall, ms: number): Promise<number> {
  type Clock = { ok: boolean; clock: string; elapsed_ms: number; now: string };
  const clock = await call.bench.send<Clock>('POST', 'clock', { advance_ms: ms }, LIMIT_MS);
  print(call, clock, () => [
    `${clock.clock} clock at ${(clock.elapsed_ms / 1000).toFixed(3)} s (${clock.now})`,
  ]);
  return EXIT.ok;
}
