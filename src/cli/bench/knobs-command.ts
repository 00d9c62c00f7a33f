import { EXIT } from '../errors/exit-code.ts';
import { assignments } from './assignments.ts';
import type { BenchCall } from './bench-command.ts';
import { print, table } from './print.ts';

type Knobs = Record<string, unknown>;

/** `svcctl bench knobs DEVICE [name=value ...]`: shows all knobs, or turns some and shows what they are then. */
export async function knobsCommand(
  call: BenchCall,
  device: string,
  words: readonly string[],
): Promise<number> {
  const listing = await call.bench.device(device);
  const patch = assignments(words, { device, what: 'knob', known: Object.keys(listing.knobs) });
  const turned = Object.keys(patch);
  const knobs =
    turned.length === 0
      ? listing.knobs
      : (await call.bench.send<{ knobs: Knobs }>('PATCH', `${device}/knobs`, patch)).knobs;
  print(call, { ok: true, device, knobs }, () =>
    table(
      Object.entries(knobs)
        .filter(([name]) => turned.length === 0 || turned.includes(name))
        .map(([name, value]) => [name, JSON.stringify(value)]),
    ),
  );
  return EXIT.ok;
}
