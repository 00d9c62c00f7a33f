import { EXIT } from '../errors/exit-code.ts';
import type { BenchCall } from './bench-command.ts';
import { print, table } from './print.ts';

/** `svcctl bench devices` */
export async function devicesCommand(call: BenchCall): Promise<number> {
  const devices = await call.bench.devices();
  print(call, { ok: true, devices }, () =>
    table([
      ['DEVICE', 'ADDRESS', 'LEADS TO', 'CLIENTS'],
      ...devices.flatMap(({ device, ports }) =>
        ports.length === 0
          ? [[device, '-', 'the plant behind the twins', '-']]
          : ports.map(({ address, path, clients }, index) => [
              index === 0 ? device : '',
              address,
              path ?? 'nothing: pulled out',
              clients === null ? '?' : String(clients),
            ]),
      ),
    ]),
  );
  return EXIT.ok;
}
