import type { Args } from './args.ts';

/** Whatever is wrong with an assertion, an expectation or the body of a call is SCN261. */
export function reportMalformed(args: Args, what: string, example: string): undefined {
  args.report('SCN261', `${args.command} ${what}, for example ${example}`, args.pos);
  return undefined;
}
