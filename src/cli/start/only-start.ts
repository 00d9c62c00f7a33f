import type { Clock } from '../../lib/clock/clock.ts';
import { onlyOne } from './only-one.ts';
import type { RuntimeFolder } from './runtime-folder.ts';
import { inUseError } from './start-error.ts';

/**
 * Makes sure that one start at a time works in a folder.
 * @throws CliError `already_running`, exit code 75
 */
export function onlyStart(folder: RuntimeFolder, clock: Clock): Promise<() => Promise<void>> {
  return onlyOne(folder, clock, {
    kind: 'start',
    service: 'svc-start',
    held: (path, who) =>
      inUseError(
        'already_running',
        `npm start runs already in ${path}${who}: use it, or end it with Ctrl-C in its terminal`,
      ),
  });
}
