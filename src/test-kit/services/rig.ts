import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Bench, type BenchDeviceName } from '../../bench/bench.ts';
import type { TraceEntry } from '../../bench/trace/trace-log.ts';
import { startTestBridge, type TestBridge } from './bridge.ts';

export interface BenchRig {
  bench: Bench;
  folder: string;
  /** `svc.yaml` that leads to the twins. */
  yaml: string;
  start(env?: Record<string, string>): Promise<TestBridge>;
  /** What the twins did since the last call: coil and drive changes, in order. */
  moves(): string[];
  /** Ends all bridges, then the bench. */
  close(): Promise<void>;
}

/**
 * Twins behind real pseudo-terminals and sockets, in this process, and bridges in real mode on them.
 *
 * @param options.with optional devices that are plugged in
 * @param options.svcYaml default: valves, pump and sensor ADC
 */
export async function openBenchRig(
  options: { with?: readonly BenchDeviceName[]; svcYaml?: (addresses: Bench['addresses']) => string } = {},
): Promise<BenchRig> {
  const folder = mkdtempSync(join(tmpdir(), 'svc-bridge-'));
  const bench = new Bench({ folder, ...(options.with ? { with: options.with } : {}) });
  await bench.open();
  const yaml = (options.svcYaml ?? benchYaml)(bench.addresses);
  const bridges: TestBridge[] = [];
  let seen = 0;
  return {
    bench,
    folder,
    yaml,
    start: async (env = {}) => {
      const bridge = await startTestBridge({
        yaml,
        env: { SVC_HARDWARE_MODE: 'real', SVC_STATE_DIR: folder, ...env },
      });
      bridges.push(bridge);
      return bridge;
    },
    moves: () => {
      const entries = bench.trace().filter((entry) => entry.n > seen);
      seen = entries.at(-1)?.n ?? seen;
      return entries.flatMap(moveText);
    },
    close: async () => {
      await Promise.all(bridges.map((bridge) => bridge.shutDown('test_end')));
      await bench.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

export function benchYaml(addresses: Bench['addresses']): string {
  return `
plugins:
  modbus-io: {connection_type: modbus-rtu, connection_params: {serial_port: "${addresses['modbus-io']}"}}
  pump-motor: {connection_type: modbus-rtu, connection_params: {serial_port: "${addresses.pump}"}}
  sensor-adc: {connection_type: i2c, connection_params: {bus: "${addresses.ads1115}"}}
`;
}

function moveText(entry: TraceEntry): string[] {
  if (entry.kind === 'coil') return [`coil ${entry.coil} ${entry.on ? 'on' : 'off'}`];
  if (entry.kind === 'drive') return [`duty ${entry.duty} ${entry.enabled ? 'on' : 'off'}`];
  return [];
}
