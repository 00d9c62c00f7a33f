import type { StopOptions } from '../stop/stop-command.ts';

/**
 * The options of `svcctl stop` as an operator types it. Only these few forms are read here, so that nothing has to be
 * loaded first; @returns undefined for every other invocation, which the whole command line has to judge
 */
export function plainStop([command, ...args]: readonly string[]): StopOptions | undefined {
  if (command !== 'stop') return undefined;
  const options: StopOptions = {};
  for (let at = 0; at < args.length; at++) {
    const [, option, inline] = /^(--json|--clear|--firmware-url)(?:=(.*))?$/s.exec(args[at] ?? '') ?? [];
    if (option === '--json' && inline === undefined) options.json = true;
    else if (option === '--clear' && inline === undefined) options.clear = true;
    else if (option === '--firmware-url') {
      const url = inline ?? args[++at];
      // The next option in place of a value: a mistake, or a strange name.
      if (!url || url.startsWith('-')) return undefined;
      options.firmwareUrl = url;
    } else return undefined;
  }
  return options;
}
