import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Command, InvalidArgumentError, Option } from 'commander';
import { CLOCK_KINDS, type ClockKind } from '../../bench/clock/bench-clock.ts';
import {
  BENCH_DEVICES,
  type BenchDeviceName,
  OPTIONAL_DEVICES,
  TCP_PORTS,
  type TcpPortOption,
} from '../../bench/devices/index.ts';

export interface BenchCommandOptions extends Record<TcpPortOption, number> {
  dir: string;
  port: number;
  seed: number;
  clock: ClockKind;
  /** Milliseconds. */
  usbLatency: number;
  /** true: the registered port. */
  usbip?: number | true;
  usbredir?: string;
  lineRate?: true;
  plant?: string;
  trace?: string;
  traceMaxMb?: number;
  only?: BenchDeviceName[];
  with?: BenchDeviceName[];
}

// Commander hands the former value to a parser as well, which `resolve` would take for a path.
const absolute = (path: string): string => resolve(path);

export function benchCommand(version: string): Command {
  const command = new Command('svc-bench')
    .description("Twins of the rig's devices behind real pseudo-terminals and sockets, with a control port.")
    .option('--dir <folder>', 'folder for the links and sockets', absolute, join(tmpdir(), 'svc-bench'))
    .option('--port <number>', 'control port on 127.0.0.1, 0 for any free one', wholeNumber(0, 65_535), 8290)
    .option('--plant <file>', 'parameters of the plant (YAML)', absolute)
    .option('--only <devices>', `plug in only these, for example modbus-io,pump (${known})`, devices)
    .option('--with <devices>', `plug in these as well (${OPTIONAL_DEVICES.join(', ')})`, devices)
    .option('--seed <number>', 'seed of all chance', wholeNumber(0, 0xffff_ffff), 1)
    .addOption(
      new Option('--clock <kind>', 'time of twins and plant: goes on by itself, or only when it is stepped')
        .choices(CLOCK_KINDS)
        .default('real'),
    )
    .option('--line-rate', 'deliver bytes and reports at the speed of the real lines')
    .option(
      '--usb-latency <ms>',
      'time after which a USB serial adapter hands on what it received; real ones have 16 or 1',
      wholeNumber(0, 255),
      0,
    )
    .option(
      '--usbip [port]',
      'export the USB devices over USB/IP on 127.0.0.1 (3240, 0 for any free one)',
      wholeNumber(0, 65_535),
    )
    .option(
      '--usbredir <folder>',
      'connect the devices to a machine in QEMU by sockets in this folder: usb-redir, and the line of its UART',
      absolute,
    )
    .option(
      '--trace <file>',
      'append every frame and every move of an output to this file (ndjson)',
      absolute,
    )
    .option(
      '--trace-max-mb <number>',
      'keep the trace, with one older file beside it (.1), below this size; without it all is kept',
      wholeNumber(1, 1_000_000),
    )
    .version(version)
    .showHelpAfterError('(see svc-bench --help)');
  for (const [option, whose] of Object.entries(TCP_PORTS)) {
    const flag = option.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
    const port = wholeNumber(0, 65_535);
    command.option(`--${flag} <number>`, `port of ${whose}, 0 for any free one`, port, 0);
  }
  return command;
}

const known = BENCH_DEVICES.filter((name) => name !== 'plant').join(', ');

function devices(text: string): BenchDeviceName[] {
  return text.split(',').map((word) => {
    const device = BENCH_DEVICES.find((name) => name === word.trim());
    if (device) return device;
    throw new InvalidArgumentError(`"${word}" is not a device of the bench: use ${known}.`);
  });
}

function wholeNumber(low: number, high: number): (text: string) => number {
  return (text) => {
    const value = /^\d+$/.test(text) ? Number(text) : Number.NaN;
    if (value >= low && value <= high) return value;
    throw new InvalidArgumentError(`a whole number from ${low} to ${high} is wanted.`);
  };
}
