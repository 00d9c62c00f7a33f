import type { Clock } from '../../lib/clock/clock.ts';
import { onlyOne } from '../start/only-one.ts';
import type { RuntimeFolder } from '../start/runtime-folder.ts';
import { inUseError } from '../start/start-error.ts';

/**
 * One switch at a time in a folder.
 * @throws CliError `switch_running`, exit code 75
 */
export function onlySwitch(folder: RuntimeFolder, clock: Clock): Promise<() => Promise<void>> {
  return onlyOne(folder, clock, {
    kind: 'profile',
    service: 'svcctl profile',
    held: (path, who) =>
      inUseError(
        'switch_running',
        `another switch of the profile is under way in ${path}${who}: wait until it has ended`,
      ),
  });
}
