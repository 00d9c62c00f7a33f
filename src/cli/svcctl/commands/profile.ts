import { Argument, type Command } from 'commander';
import { PROFILE_NAMES, type Profile } from '../../../rig/profiles/profile.ts';
import { suggest } from '../../../scenario/diagnostics/suggest.ts';
import { usageError } from '../../errors/cli-error.ts';
import type { Io } from '../../io/io.ts';
import type { ProfileOptions } from '../../profile/profile-command.ts';
import type { Finish } from '../command-line.ts';

const isProfile = (word: string): word is Profile => PROFILE_NAMES.some((name) => name === word);

/** `svcctl profile` */
export function profileCommandLine(program: Command, io: Io, finish: Finish): void {
  program
    .command('profile')
    .description('switch the ADC services to a profile, or report which one runs')
    .addArgument(
      new Argument('[profile]', 'none: report').choices(PROFILE_NAMES).argParser((word: string) => {
        if (isProfile(word)) return word;
        const near = suggest(word, PROFILE_NAMES);
        throw usageError(
          `profile "${word}" is unknown: ${near ? `did you mean ${near}?` : `use ${PROFILE_NAMES.join(' or ')}`}`,
        );
      }),
    )
    .option('--json', 'print JSON and nothing else')
    .addHelpText(
      'after',
      `
stack:       svc-adc-stack owns the HID chip and the UART module
standalone:  svc-adc-usb owns the HID chip, svc-adc-uart the UART module

Exit codes: 0 done, or all runs as the profile says; 1 something else runs; 3 not done; 75 a device is held by
another program, the rig is leased, or another switch is under way. Every message says what to do; the same command repairs.`,
    )
    .action(async (profile: Profile | undefined, options: ProfileOptions) => {
      const { profileCommand } = await import('../../profile/profile-command.ts');
      finish(await profileCommand(profile, options, io));
    });
}
