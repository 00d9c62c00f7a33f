import type { Io } from '../io/io.ts';
import { BenchClient } from './bench-client.ts';
import { benchUrl } from './bench-url.ts';
import { devicesCommand } from './devices-command.ts';
import { faultCommand } from './fault-command.ts';
import { knobsCommand } from './knobs-command.ts';
import { resetCommand } from './reset-command.ts';
import { stepCommand } from './step-command.ts';
import { traceCommand } from './trace-command.ts';

export type BenchCommand = 'devices' | 'knobs' | 'fault' | 'trace' | 'reset' | 'step';

/** Options of all actions; each reads its own. */
export interface BenchOptions {
  benchUrl?: string;
  json?: true;
  count?: number;
  follow?: true;
  since?: number;
}

export interface BenchCall {
  bench: BenchClient;
  options: BenchOptions;
  io: Io;
}

/** @param given the arguments as the command line declares them. @returns the exit code. @throws CliError */
export async function runBenchCommand(
  command: BenchCommand,
  given: readonly unknown[],
  options: unknown,
  io: Io,
): Promise<number> {
  const read = options as BenchOptions;
  const call: BenchCall = { bench: new BenchClient(benchUrl(read.benchUrl, io.env), io), options: read, io };
  switch (command) {
    case 'devices':
      return devicesCommand(call);
    case 'knobs':
      return knobsCommand(call, String(given[0]), wordsOf(given[1]));
    case 'fault':
      return faultCommand(call, String(given[0]), wordsOf(given[1]));
    case 'trace':
      return traceCommand(call, given[0] === undefined ? undefined : String(given[0]));
    case 'reset':
      return resetCommand(call);
    case 'step':
      return stepCommand(call, Number(given[0]));
  }
}

const wordsOf = (given: unknown): string[] => (Array.isArray(given) ? given.map(String) : []);
