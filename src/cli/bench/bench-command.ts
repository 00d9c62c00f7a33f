import { suggest } from '../../scenario/diagnostics/suggest.ts';
import { usageError } from '../errors/cli-error.ts';
import { EXIT } from '../errors/exit-code.ts';
import type { Io } from '../io/io.ts';
import { table } from '../io/table.ts';
import { benchUrl } from '../options/url.ts';
import { BenchClient } from './bench-client.ts';
import { traceCommand } from './trace-command.ts';

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

type Knobs = Record<string, unknown>;
type Action = (call: BenchCall, subject: string, words: readonly string[]) => Promise<void>;

/** A day of stepped time is worked off in much less. */
const STEP_LIMIT_MS = 60_000;

const ACTIONS = {
  devices: devicesCommand,
  knobs: knobsCommand,
  fault: faultCommand,
  trace: (call, device) => traceCommand(call, device || undefined),
  async reset(call) {
    await call.bench.send('POST', 'reset', {});
    print(call, { ok: true }, () => ['outputs off; knobs, faults and plant at rest']);
  },
  async step(call, ms) {
    type Clock = { ok: boolean; clock: string; elapsed_ms: number; now: string };
    const clock = await call.bench.send<Clock>('POST', 'clock', { advance_ms: Number(ms) }, STEP_LIMIT_MS);
    print(call, clock, () => [
      `${clock.clock} clock at ${(clock.elapsed_ms / 1000).toFixed(3)} s (${clock.now})`,
    ]);
  },
} satisfies Record<string, Action>;

export type BenchCommand = keyof typeof ACTIONS;

/** @param given the arguments as the command line declares them. @returns the exit code. @throws CliError */
export async function runBenchCommand(
  command: BenchCommand,
  [subject = '', words = []]: readonly unknown[],
  options: BenchOptions,
  io: Io,
): Promise<number> {
  const call: BenchCall = { bench: new BenchClient(benchUrl(options.benchUrl, io.env), io), options, io };
  await ACTIONS[command](call, String(subject), Array.isArray(words) ? words.map(String) : []);
  return EXIT.ok;
}

async function devicesCommand(call: BenchCall): Promise<void> {
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
}

/** `svcctl bench knobs DEVICE [name=value ...]`: shows all knobs, or turns some and shows what they are then. */
async function knobsCommand(call: BenchCall, device: string, words: readonly string[]): Promise<void> {
  const listing = await call.bench.device(device);
  const patch = assignments(words, { device, what: 'knob', known: Object.keys(listing.knobs) });
  const turned = Object.keys(patch);
  const knobs =
    turned.length === 0
      ? listing.knobs
      : (await call.bench.send<{ knobs: Knobs }>('PATCH', `${device}/knobs`, patch)).knobs;
  print(call, { ok: true, device, knobs }, () =>
    table(
      Object.entries(knobs)
        .filter(([name]) => turned.length === 0 || turned.includes(name))
        .map(([name, value]) => [name, JSON.stringify(value)]),
    ),
  );
}

/** `svcctl bench fault DEVICE kind[=value] ... [--count N]`: one fault, made of all kinds, for each of N answers. */
async function faultCommand(call: BenchCall, device: string, words: readonly string[]): Promise<void> {
  const { faults: known } = await call.bench.device(device);
  if (known.length === 0)
    throw usageError(
      `${device} takes no faults for single answers: svcctl bench knobs ${device} shows its knobs`,
    );
  const fault = assignments(words, { device, what: 'fault', known, bare: true });
  const count = call.options.count ?? 1;
  const faults = Array.from({ length: count }, () => fault);
  await call.bench.send('POST', `${device}/faults`, { faults });
  print(call, { ok: true, device, fault, count }, () => [
    `${device}: ${words.join(' ')} for the next ${count === 1 ? 'answer' : `${count} answers`}`,
  ]);
}

/** The result: one JSON document, or the lines for people. */
function print({ io, options }: BenchCall, document: object, lines: () => readonly string[]): void {
  const text = options.json ? [JSON.stringify(document)] : lines();
  if (text.length > 0) io.stdout.write(`${text.join('\n')}\n`);
}

/**
 * Reads `name=value` words. A value is JSON where it can be read as such, else the text as it stands.
 *
 * @param known names that are allowed
 * @param bare value of a name without `=`; undefined when a value is wanted
 * @throws CliError `usage`, with the name that was probably meant
 */
function assignments(
  words: readonly string[],
  { device, what, known, bare }: { device: string; what: string; known: readonly string[]; bare?: unknown },
): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  for (const word of words) {
    const at = word.indexOf('=');
    const name = at < 0 ? word : word.slice(0, at);
    if (!known.includes(name)) {
      const near = suggest(name, known);
      throw usageError(
        `${device} has no ${what} "${name}": ${near ? `did you mean ${near}? It` : 'it'} has ${known.join(', ')}`,
      );
    }
    if (at < 0 && bare === undefined)
      throw usageError(`${what} "${name}" of ${device} has no value: write ${name}=value`);
    if (Object.hasOwn(values, name))
      throw usageError(`${word} gives ${name} a second value: keep one of them`);
    values[name] = at < 0 ? bare : readValue(word.slice(at + 1));
  }
  return values;
}

function readValue(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
