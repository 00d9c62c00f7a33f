import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';
import {
  type ChipChange,
  confirmAdcSource,
  confirmChips,
  readAdcSource,
  readChipChanges,
  type SourceChange,
  SourceError,
  type SourceState,
} from '../../rig/adc/confirmation.ts';
import { CliError, usageError } from '../errors/cli-error.ts';
import { EXIT } from '../errors/exit-code.ts';
import type { Io } from '../io/io.ts';
import { table } from '../io/table.ts';
import { readSettings } from '../profile/rig-files.ts';
import { installation } from '../start/installation.ts';
import { runtimeFolder } from '../start/runtime-folder.ts';

export interface AdcConfirmOptions {
  yes?: true;
  stateDir?: string;
  json?: true;
}

/** What a person is shown, and confirms. */
interface Shown {
  /** Undefined where svc-adc-stack has never run: the chip alone serves voltages. */
  sources: SourceState | undefined;
  chips: ChipChange[];
}

/**
 * `svcctl adc-confirm`: a person says that the pressure calibration holds for the sources of the voltages as they are
 * now, and that the USB chip that was seen last belongs here (DEV-052).
 * @returns 0 when it is confirmed, also when it was before; 1 when the person did not confirm
 * @throws CliError exit code 2 without a terminal and without `--yes`; `adc_source_changed` with exit code 3;
 * SourceError
 */
export async function adcConfirmCommand(options: AdcConfirmOptions, io: Io): Promise<number> {
  const folder = stateDir(options.stateDir, io);
  const shown = read(folder);
  const say = (lines: readonly string[]) =>
    (options.json ? io.stderr : io.stdout).write(`${lines.join('\n')}\n`);
  say([...(shown.sources ? sourceLines(shown.sources) : []), ...chipLines(shown.chips)]);
  if (!isNeeded(shown)) {
    say(['nothing to confirm: these are the sources that the calibration belongs to']);
    return told(shown, true, options, io);
  }
  if (!options.yes && !(await agreed(io))) {
    say(['not confirmed: nothing was changed']);
    return told(shown, false, options, io);
  }
  requireSame(shown, read(folder));
  const { isConfirmationRequired = false } = shown.sources ?? {};
  const sources = isConfirmationRequired ? confirmAdcSource(folder, io.clock) : shown.sources;
  const chips = confirmChips(folder, io.clock);
  requireSame(shown, { chips, sources });
  say([`confirmed at ${new Date(io.clock.now()).toISOString()}`]);
  const confirmed = sources && { ...sources, isConfirmationRequired: false };
  return told({ chips, sources: confirmed }, true, options, io);
}

/** @throws SourceError `adc_source_missing` when no service has left anything to confirm */
function read(folder: string): Shown {
  const chips = readChipChanges(folder);
  try {
    return { chips, sources: readAdcSource(folder) };
  } catch (cause) {
    if (chips.length > 0 && cause instanceof SourceError && cause.code === 'adc_source_missing')
      return { chips, sources: undefined };
    throw cause;
  }
}

const isNeeded = ({ sources, chips }: Shown): boolean =>
  sources?.isConfirmationRequired === true || chips.some(({ isChanged }) => isChanged);

async function agreed(io: Io): Promise<boolean> {
  if (!io.stdin.isTTY)
    throw usageError(
      'adc-confirm asks a person, and standard input is not a terminal: give --yes to confirm without being asked',
    );
  const answer = await ask('Does the pressure calibration hold for these sources? Type yes to confirm: ', io);
  return answer?.trim().toLowerCase() === 'yes';
}

/** What is confirmed is what the person has seen. */
function requireSame(shown: Shown, found: Shown): void {
  const source = found.sources?.channels.find(
    ({ now }, index) => now !== shown.sources?.channels[index]?.now,
  );
  const chip = found.chips.find(({ now }, index) => now !== shown.chips[index]?.now);
  const changed = source
    ? `the source of ${source.channel} became ${source.now}`
    : chip && `the chip at ${chip.address} became another one (${chip.now})`;
  if (changed === undefined) return;
  throw new CliError(
    'adc_source_changed',
    `${changed} in the meantime: run svcctl adc-confirm again and check it`,
    EXIT.error,
  );
}

function told({ sources, chips }: Shown, ok: boolean, { json }: AdcConfirmOptions, { stdout }: Io): number {
  if (json) stdout.write(`${JSON.stringify({ ok, ...sources, chips })}\n`);
  return ok ? EXIT.ok : EXIT.failed;
}

function sourceLines({ path, channels, confirmedAt }: SourceState): string[] {
  return [
    `sources of the voltages (${path}), last confirmed ${confirmedAt ?? 'never by a person'}:`,
    ...table([
      ['CHANNEL', 'CALIBRATED FOR', 'NOW', ''],
      ...channels.map(({ channel, before, now, isChanged }: SourceChange) => [
        channel,
        before ?? 'never confirmed',
        now,
        isChanged ? 'changed' : '',
      ]),
    ]),
  ];
}

function chipLines(chips: readonly ChipChange[]): string[] {
  if (chips.length === 0) return [];
  return [
    'USB chips:',
    ...table([
      ['ADDRESS', 'BELONGS HERE', 'SEEN LAST', ''],
      ...chips.map(({ address, before, now, isChanged }) => [
        address,
        before ?? 'none yet',
        now,
        isChanged ? 'changed' : '',
      ]),
    ]),
  ];
}

const DEFAULT = '/var/lib/svc';

/**
 * Where the stack service keeps its fingerprint: as named, else as SVC_STATE_DIR says in the environment or in the
 * `rig.env` that PM2 gives the services.
 * @throws CliError exit code 2 when RIG_RUNTIME_DIR cannot be used
 */
function stateDir(named: string | undefined, { env, cwd }: Pick<Io, 'env' | 'cwd'>): string {
  const given = named ?? env.SVC_STATE_DIR;
  return given ? resolve(cwd, given) : (ofRig({ env, cwd }) ?? DEFAULT);
}

function ofRig({ env, cwd }: Pick<Io, 'env' | 'cwd'>): string | undefined {
  const folder = runtimeFolder(installation().root, env.RIG_RUNTIME_DIR, cwd);
  return existsSync(folder.settings) ? readSettings(folder).SVC_STATE_DIR : undefined;
}

/** Asks on the terminal. @returns the line typed; null when the input ended */
function ask(question: string, { stdin, stderr }: Pick<Io, 'stdin' | 'stderr'>): Promise<string | null> {
  return new Promise((resolve) => {
    // Not in raw mode: Ctrl-C stays a signal and ends the command; nothing has been written by then.
    const lines = createInterface({ input: stdin, output: stderr, terminal: false });
    const end = (line: string | null) => {
      lines.removeAllListeners();
      lines.close();
      stdin.pause();
      resolve(line);
    };
    lines.once('line', end);
    lines.once('close', () => end(null));
    stderr.write(question);
  });
}
