import { EXIT } from '../errors/exit-code.ts';
import type { BenchCall } from './bench-command.ts';
import { print } from './print.ts';

/** `svcctl bench reset` */
export async function resetCommand(call: BenchCall): Promise<number> {
  await call.bench.send('POST', 'reset', {});
  print(call, { ok: true }, () => ['outputs off; knobs, faults and plant at rest']);
  return EXIT.ok;
}
