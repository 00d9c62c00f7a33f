import type { Command, CommanderError } from 'commander';
import { suggest } from '../../scenario/diagnostics/suggest.ts';
import { type CliError, usageError } from '../errors/cli-error.ts';

/** What commander found wrong, as one sentence that names the value and the remedy. */
export function usageSentence(error: CommanderError, command: Command): CliError {
  const path = commandPath(command);
  const help = `${path} --help`;
  const quoted = /'([^']*)'/.exec(error.message)?.[1] ?? '';
  switch (error.code) {
    case 'commander.unknownOption': {
      const option = quoted.split('=', 1)[0] ?? quoted;
      const options = command.options.flatMap(({ long }) => (long ? [long] : []));
      const value = option.replace(/^-+/, '');
      const chosen = command.options.find(({ argChoices }) => argChoices?.includes(value));
      const near =
        (chosen && `${chosen.long} ${value}`) ??
        suggest(option, options) ??
        options.find((one) => option.length > 3 && one.startsWith(option));
      return usageError(
        `unknown option "${quoted}": ${near ? `did you mean ${near}?` : `${help} lists the options`}`,
      );
    }
    case 'commander.optionMissingArgument':
      return usageError(`option ${quoted} has no value: ${help} shows how it is written`);
    case 'commander.missingArgument':
      return usageError(`${command.name()} needs <${quoted}>: write ${path} ${command.usage()}`);
    case 'commander.excessArguments': {
      const extra = command.args.slice(command.registeredArguments.length);
      const words = extra.map((word) => `"${word}"`).join(' ');
      return usageError(
        `${command.name()} has no use for ${words}: quote a name that has blanks, and give one at a time`,
      );
    }
    default:
      return usageError(`${error.message.replace(/^error: /, '').replace(/\s+/g, ' ')}: ${help} shows how`);
  }
}

function commandPath(command: Command): string {
  return command.parent ? `${commandPath(command.parent)} ${command.name()}` : command.name();
}
