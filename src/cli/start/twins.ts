import type { Clock } from '../../lib/clock/clock.ts';

const LIMIT_MS = 2000;

/**
 * Asks the twins themselves which outputs are on. @param url control port of the bench
 * @returns for example `coil 0, pump at 51/255`; empty when all are off; undefined when the bench does not answer
 */
export async function outputsOn(
  url: string,
  { fetch, clock }: { fetch: typeof globalThis.fetch; clock: Clock },
): Promise<string | undefined> {
  const limit = new AbortController();
  const cancel = clock.after(LIMIT_MS, () => limit.abort());
  try {
    const response = await fetch(`${url}/bench/v1/outputs`, { signal: limit.signal });
    const { coils, pump } = (await response.json()) as {
      coils: boolean[];
      pump: { duty: number; enabled: boolean };
    };
    const on = coils.flatMap((isOn, coil) => (isOn ? [`coil ${coil}`] : []));
    if (pump.enabled && pump.duty > 0) on.push(`pump at ${pump.duty}/255`);
    return on.join(', ');
  } catch {
    return undefined;
  } finally {
    cancel();
  }
}
