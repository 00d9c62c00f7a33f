import type { Clock } from '../lib/clock/clock.ts';
import { askFirmware, type FirmwareAddress, failed } from './firmware-report.ts';

export interface Benchmark {
  seconds: number;
  requests: number;
  errors: number;
  /** Successful requests per second. */
  rps: number;
  latency_avg_ms: number;
  latency_min_ms: number;
  latency_max_ms: number;
  latency_median_ms: number;
  latency_p95_ms: number;
}

export type BenchmarkFault = { ok: false; error: string; requests: number; errors: number };

const LIMIT_MS = 3000;
const PATH = '/api/v1/hardware/health';

/** Requests the hardware health one after another, without a pause, behind one request that does not count. @param seconds 1..600 */
export async function benchmark(
  address: FirmwareAddress,
  seconds: number,
  { clock, signal }: { clock: Clock; signal: AbortSignal },
): Promise<Benchmark | BenchmarkFault> {
  await askFirmware(address, PATH, LIMIT_MS);
  const latencies: number[] = [];
  let errors = 0;
  let last = '';
  const startedAtMs = clock.monotonic();
  const elapsedMs = () => clock.monotonic() - startedAtMs;
  while (elapsedMs() < seconds * 1000) {
    signal.throwIfAborted();
    const sentAtMs = clock.monotonic();
    const answer = await askFirmware(address, PATH, LIMIT_MS);
    if (failed(answer)) {
      errors++;
      last = answer.error;
    } else latencies.push(clock.monotonic() - sentAtMs);
  }
  const elapsedS = elapsedMs() / 1000;
  const requests = latencies.length + errors;
  if (latencies.length === 0) return { ok: false, error: last || 'no request was made', requests, errors };
  latencies.sort((one, other) => one - other);
  const at = (share: number) =>
    latencies[Math.min(latencies.length - 1, Math.ceil(share * latencies.length) - 1)] ?? 0;
  const rounded = (value: number) => Number(value.toFixed(1));
  return {
    seconds,
    requests,
    errors,
    rps: rounded(latencies.length / elapsedS),
    latency_avg_ms: rounded(latencies.reduce((sum, one) => sum + one, 0) / latencies.length),
    latency_min_ms: rounded(latencies[0] ?? 0),
    latency_max_ms: rounded(latencies.at(-1) ?? 0),
    latency_median_ms: rounded(at(0.5)),
    latency_p95_ms: rounded(at(0.95)),
  };
}
