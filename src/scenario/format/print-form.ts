import { findCommand } from '../commands/lookup.ts';
import { commandOfForm } from '../commands/table.ts';
import type { Form } from '../forms/form.ts';
import { BLOCK_KINDS } from '../syntax/words.ts';
import { quote } from './words.ts';

/**
 * The canonical line of a command.
 * @param source the line as written, for forms that are kept
 */
export function printForm(form: Form, command: string, source: string): string {
  const line = commandOfForm(form).print(form, command, source);
  return form.form === 'condition' ? asFirstWord(line) : line;
}

/** A name at the start of a line is quoted when it would read as a command or a header. */
function asFirstWord(line: string): string {
  const word = /^[^\s'"]+/.exec(line)?.[0];
  if (word === undefined || !(findCommand(word) || BLOCK_KINDS.has(word.toUpperCase()))) return line;
  return quote(word) + line.slice(word.length);
}
