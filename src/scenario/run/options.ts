import type { RunEvent } from '../events/event.ts';
import type { PromptQuestion } from './prompt-answer.ts';
import type { Timeouts } from './timeouts.ts';
import type { GivenVariable } from './variables.ts';

/**
 * Asks a person and gives what they said; null when no one can answer any more. What is not an answer is asked
 * again, with the reason. The signal aborts when the question is closed: its answer counts no more then.
 */
export type Prompt = (
  question: PromptQuestion,
  asking: { readonly signal: AbortSignal; readonly again: string | undefined },
) => Promise<string | boolean | null>;

/** How a run goes, whatever it runs on. */
export interface RunOptions {
  /** Text output: the last line only. */
  readonly quiet?: boolean;
  readonly variables?: Readonly<Record<string, GivenVariable>>;
  /** Oldest reading that counts as fresh, milliseconds; default 1000. */
  readonly maxAgeMs?: number;
  readonly timeouts?: Partial<Timeouts>;
  readonly stopOnFail?: boolean;
  /** Simulated readings will do; the run is marked. */
  readonly simulated?: boolean;
  /** Called synchronously with every event, in order. An error it throws ends the run. */
  readonly onEvent?: (event: RunEvent) => void;
  /** Which events the result has, default all: a run that samples for hours has millions. */
  readonly keeps?: (event: RunEvent) => boolean;
  readonly onPrompt?: Prompt;
  /** Takes the lines of the text output; default none. */
  readonly out?: (line: string) => void;
}
