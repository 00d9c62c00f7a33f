import { CliError } from '../errors/cli-error.ts';
import { EXIT } from '../errors/exit-code.ts';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Signals that end a program in two steps. */
export interface StopSignals {
  /** First signal: no new request is begun. */
  readonly soon: AbortSignal;
  /** Second signal: the request under way is cut off. */
  readonly now: AbortSignal;
  /** Gives the signals back to their default action. */
  release(): void;
}

export function stopSignals(say: (text: string) => void): StopSignals {
  const soon = new AbortController();
  const now = new AbortController();
  const onSignal = (name: NodeJS.Signals) => {
    const isFirst = !soon.signal.aborted;
    (isFirst ? soon : now).abort(new CliError('interrupted', `interrupted by ${name}`, EXIT.aborted));
    if (isFirst) say(`${name}: stopping; a second signal cuts off the request under way`);
  };
  for (const name of SIGNALS) process.on(name, onSignal);
  return {
    soon: soon.signal,
    now: now.signal,
    release: () => {
      for (const name of SIGNALS) process.off(name, onSignal);
    },
  };
}
