import { commandOfWord } from '../commands/table.ts';
import type { Pos } from '../source/position.ts';
import type { Token } from '../source/token.ts';
import { Args } from './args.ts';
import type { Form } from './form.ts';
import type { Report } from './reporter.ts';

/**
 * Parses the arguments of one statement. Undefined after a report, or when a macro argument is still missing
 * where a literal is needed.
 * @param tokens the statement's tokens, macro arguments already filled in
 */
export const parseForm = (
  command: string,
  tokens: readonly Token[],
  pos: Pos,
  report: Report,
): Form | undefined => commandOfWord(command).parse(new Args(command, tokens, pos, report));
