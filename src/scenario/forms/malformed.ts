import type { Args } from './args.ts';

/** Reports a malformed assertion, expectation or call body (SCN261). */
export function reportMalformed(args: Args, what: string, example: string): undefined {
  args.report('SCN261', `${args.command} ${what}, for example ${example}`, args.pos);
  return undefined;
}
