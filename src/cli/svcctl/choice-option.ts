import { Option } from 'commander';
import { usageError } from '../errors/cli-error.ts';

/** An option with a few allowed values; `convert` turns the word into what the command works with. */
export function choiceOption<T>(
  flags: string,
  description: string,
  choices: readonly string[],
  convert: (word: string) => T,
): Option {
  const option = new Option(flags, description).choices(choices);
  return option.argParser((word) => {
    if (choices.includes(word)) return convert(word);
    throw usageError(
      `${option.long} "${word}" is unknown: use ${choices.slice(0, -1).join(', ')} or ${choices.at(-1)}`,
    );
  });
}
