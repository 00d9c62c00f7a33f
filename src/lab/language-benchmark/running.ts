import { Interpreter } from '../../scenario/interpreter.ts';
import { BridgeTwin } from '../../test-kit/scenario/bridge-twin.ts';

export interface Lateness {
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly count: number;
}

/** How much longer a WAIT of 10 ms lasts than 10 ms, in execute mode against a bridge over HTTP. */
export async function measureLateness(count: number): Promise<Lateness> {
  const bridge = await BridgeTwin.start();
  try {
    const source = `GOAL:\n  SET NAME 'Waits'\n${'  WAIT 10ms\n'.repeat(count)}`;
    const result = await new Interpreter({ mode: 'execute', firmwareUrl: bridge.url, quiet: true }).run(
      source,
      'waits.oql',
    );
    const late = result.events
      .filter((event) => event.type === 'command.end' && event.command === 'WAIT')
      .map((event) => (event.type === 'command.end' ? event.durationMs - 10 : 0))
      .sort((a, b) => a - b);
    if (late.length !== count)
      throw new Error(`${late.length} of ${count} waits were done: ${JSON.stringify(result.diagnostics)}`);
    return { p50Ms: late[Math.floor(count * 0.5)]!, p99Ms: late[Math.floor(count * 0.99)]!, count };
  } finally {
    await bridge.close();
  }
}

/** Interpreter time a command without I/O, microseconds: a dry-run of SET of variables, events included. */
export async function measureOverhead(commands: number): Promise<number> {
  const source = `GOAL:\n  SET NAME 'Sets'\n  REPEAT ${commands / 1000}:\n${"    SET X '1'\n".repeat(1000)}`;
  const run = () => new Interpreter({ mode: 'dry-run', quiet: true }).run(source, 'sets.oql');
  await run();
  const before = process.cpuUsage();
  await run();
  return process.cpuUsage(before).user / commands;
}
