import {
  confirmAdcSource,
  readAdcSource,
  type SourceChange,
  type SourceState,
} from '../../rig/adc/source-fingerprint.ts';
import { table } from '../bench/print.ts';
import { CliError, usageError } from '../errors/cli-error.ts';
import { EXIT } from '../errors/exit-code.ts';
import type { Io } from '../io/io.ts';
import { ask } from './ask.ts';
import { stateDir } from './state-dir.ts';

export interface AdcConfirmOptions {
  yes?: true;
  stateDir?: string;
  json?: true;
}

/**
 * `svcctl adc-confirm`: a person says that the pressure calibration holds for the sources of the voltages as they are
 * now (services specification, section 5.5).
 * @returns 0 when it is confirmed, also when it was before; 1 when the person did not confirm
 * @throws CliError exit code 2 without a terminal and without `--yes`; `adc_source_changed` with exit code 3; SourceError
 */
export async function adcConfirmCommand(options: AdcConfirmOptions, io: Io): Promise<number> {
  const folder = stateDir(options.stateDir, io);
  const shown = readAdcSource(folder);
  const say = (lines: readonly string[]) =>
    (options.json ? io.stderr : io.stdout).write(`${lines.join('\n')}\n`);
  say(sourceLines(shown));
  if (!shown.isConfirmationRequired) {
    say(['nothing to confirm: these are the sources that the calibration belongs to']);
    return told(shown, true, options, io);
  }
  if (!options.yes && !(await agreed(io))) {
    say(['not confirmed: nothing was changed']);
    return told(shown, false, options, io);
  }
  requireSame(shown, readAdcSource(folder));
  const confirmed = confirmAdcSource(folder, io.clock);
  requireSame(shown, confirmed);
  say([`confirmed at ${confirmed.confirmedAt}`]);
  return told({ ...confirmed, isConfirmationRequired: false }, true, options, io);
}

async function agreed(io: Io): Promise<boolean> {
  if (!io.stdin.isTTY)
    throw usageError(
      'adc-confirm asks a person, and standard input is no terminal: give --yes to confirm without being asked',
    );
  const answer = await ask('Does the pressure calibration hold for these sources? Type yes to confirm: ', io);
  return answer?.trim().toLowerCase() === 'yes';
}

/** What is confirmed is what the person has seen. */
function requireSame(shown: SourceState, found: SourceState): void {
  const changed = found.channels.find(({ now }, index) => now !== shown.channels[index]?.now);
  if (changed === undefined) return;
  throw new CliError(
    'adc_source_changed',
    `the source of ${changed.channel} became ${changed.now} in the meantime: run svcctl adc-confirm again and look at it`,
    EXIT.error,
  );
}

function told(state: SourceState, ok: boolean, { json }: AdcConfirmOptions, { stdout }: Io): number {
  if (json) stdout.write(`${JSON.stringify({ ok, ...state })}\n`);
  return ok ? EXIT.ok : EXIT.failed;
}

export function sourceLines({ path, channels, confirmedAt }: SourceState): string[] {
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
