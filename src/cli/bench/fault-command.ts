import { usageError } from '../errors/cli-error.ts';
import { EXIT } from '../errors/exit-code.ts';
import { assignments } from './assignments.ts';
import type { BenchCall } from './bench-command.ts';
import { print } from './print.ts';

/** `svcctl bench fault DEVICE kind[=value] ... [--count N]`: one fault, made of all kinds, for each of N answers. */
export async function faultCommand(
  call: BenchCall,
  device: string,
  words: readonly string[],
): Promise<number> {
  const { faults: known } = await call.bench.device(device);
  if (known.length === 0)
    throw usageError(
      `${device} takes no faults for single answers: svcctl bench knobs ${device} shows its knobs`,
    );
  const fault = assignments(words, { device, what: 'fault', known, bare: true });
  const count = call.options.count ?? 1;
  const faults = Array.from({ length: count }, () => fault);
  await call.bench.send('POST', `${device}/faults`, { faults });
  print(call, { ok: true, device, fault, count }, () => [
    `${device}: ${words.join(' ')} for the next ${count === 1 ? 'answer' : `${count} answers`}`,
  ]);
  return EXIT.ok;
}
