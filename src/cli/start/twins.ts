import type { Clock } from '../../lib/clock/clock.ts';
import { askService } from '../io/call-service.ts';

/**
 * Asks the twins themselves which outputs are on. @param url control port of the bench
 * @returns for example `coil 0, pump at 51/255`; empty when all are off; undefined when the bench does not answer
 */
export async function outputsOn(url: string, { clock }: { clock: Clock }): Promise<string | undefined> {
  const answer = await askService(`${url}/bench/v1/outputs`, { timeoutMs: 2000, clock });
  const { coils, pump } = (answer ?? {}) as {
    coils?: boolean[];
    pump?: { duty: number; enabled: boolean };
  };
  if (coils === undefined || pump === undefined) return undefined;
  const on = coils.flatMap((isOn, coil) => (isOn ? [`coil ${coil}`] : []));
  if (pump.enabled && pump.duty > 0) on.push(`pump at ${pump.duty}/255`);
  return on.join(', ');
}
