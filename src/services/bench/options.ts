import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Command, InvalidArgumentError } from 'commander';

export interface BenchCommandOptions {
  dir: string;
  port: number;
  seed: number;
  lineRate?: true;
  trace?: string;
}

// Commander hands the former value to a parser as well, which `resolve` would take for a path.
const absolute = (path: string): string => resolve(path);

export function benchCommand(version: string): Command {
  return new Command('svc-bench')
    .description("Twins of the rig's devices behind real pseudo-terminals and sockets, with a control port.")
    .option('--dir <folder>', 'folder for the links and sockets', absolute, join(tmpdir(), 'svc-bench'))
    .option('--port <number>', 'control port on 127.0.0.1, 0 for any free one', wholeNumber(0, 65_535), 8290)
    .option('--seed <number>', 'seed of all chance', wholeNumber(0, 0xffff_ffff), 1)
    .option('--line-rate', 'deliver bytes at the speed of the real lines')
    .option(
      '--trace <file>',
      'append every frame and every move of an output to this file (ndjson)',
      absolute,
    )
    .version(version)
    .showHelpAfterError('(see svc-bench --help)');
}

function wholeNumber(low: number, high: number): (text: string) => number {
  return (text) => {
    const value = /^\d+$/.test(text) ? Number(text) : Number.NaN;
    if (value >= low && value <= high) return value;
    throw new InvalidArgumentError(`a whole number from ${low} to ${high} is wanted.`);
  };
}
