import { CliError } from '../errors/cli-error.ts';
import { EXIT } from '../errors/exit-code.ts';
import type { ConsoleReporter } from './console-reporter.ts';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Signals of the operator, in the two steps of an abort. */
export interface Interruption {
  /** First signal: the command is cancelled, teardown and safe state follow. */
  readonly signal: AbortSignal;
  /** Second signal: the teardown is skipped, never the safe state. */
  readonly hardSignal: AbortSignal;
  /** Gives the signals back to their default action. */
  release(): void;
}

/**
 * Turns the signals of the process into the two steps of an abort and reports them by the voice of the present run. A closed terminal counts
 * as one. Further signals change nothing: the safe state is bounded and must not be cut.
 */
export function interruption(voice: () => Pick<ConsoleReporter, 'say' | 'ending'>): Interruption {
  const say = (text: string) => {
    voice().ending('stopping');
    voice().say(text);
  };
  const soft = new AbortController();
  const hard = new AbortController();
  let count = 0;
  const onSignal = (name: NodeJS.Signals) => {
    count++;
    if (count === 1) {
      soft.abort(new CliError('aborted', `stopped by ${name}`, EXIT.aborted));
      say(`${name}: stopping; teardown and safe state follow, a second signal skips the teardown`);
    } else if (count === 2) {
      hard.abort(new CliError('aborted', `stopped by a second ${name}`, EXIT.aborted));
      say(`${name}: the teardown is skipped, the rig is made safe`);
    } else say(`${name}: the rig is being made safe, please wait`);
  };
  for (const name of SIGNALS) process.on(name, onSignal);
  return {
    signal: soft.signal,
    hardSignal: hard.signal,
    release: () => {
      for (const name of SIGNALS) process.off(name, onSignal);
    },
  };
}
