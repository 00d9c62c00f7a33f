import type { Argument, Command, Option } from 'commander';

/** What a shell may offer for a value. */
export type Offer =
  | { readonly kind: 'words'; readonly words: readonly string[] }
  | { readonly kind: 'scenarios' }
  /** Scenarios and suites. */
  | { readonly kind: 'runs' }
  | { readonly kind: 'directories' }
  | { readonly kind: 'files' }
  | { readonly kind: 'nothing' };

export interface OptionModel {
  /** `-q`, `--quiet` */
  readonly flags: readonly string[];
  readonly description: string;
  /** Undefined when the option takes no value. */
  readonly value: Offer | undefined;
}

export interface CommandModel {
  readonly name: string;
  readonly description: string;
  readonly options: readonly OptionModel[];
  readonly argument: Offer;
}

/** The command line as completion scripts need it, taken from the parser, so that the two never differ. */
export function completionModel(program: Command): CommandModel[] {
  return program.commands.map((command) => ({
    name: command.name(),
    description: command.description(),
    options: command.options.filter((option) => !option.hidden).map(optionModel),
    argument: offerOf(command.registeredArguments[0]),
  }));
}

/** A program that has options and no commands. */
export interface ProgramModel {
  readonly name: string;
  readonly options: readonly OptionModel[];
}

export const programModel = (program: Command): ProgramModel => ({
  name: program.name(),
  options: program.options.filter((option) => !option.hidden).map(optionModel),
});

function optionModel(option: Option): OptionModel {
  const flags = [option.short, option.long].filter((flag) => flag !== undefined);
  const takesValue = option.required || option.optional;
  return { flags, description: option.description, value: takesValue ? valueOffer(option) : undefined };
}

function valueOffer({ argChoices, flags }: Option): Offer {
  if (argChoices) return { kind: 'words', words: argChoices };
  return byPlaceholder(/<([^>]*)>/.exec(flags)?.[1] ?? '');
}

function offerOf(argument: Argument | undefined): Offer {
  if (!argument) return { kind: 'nothing' };
  if (argument.argChoices) return { kind: 'words', words: argument.argChoices };
  return argument.variadic && argument.name() === 'scenario'
    ? { kind: 'runs' }
    : byPlaceholder(argument.name());
}

function byPlaceholder(name: string): Offer {
  if (name === 'scenario') return { kind: 'scenarios' };
  if (name === 'dir') return { kind: 'directories' };
  return name === 'file' ? { kind: 'files' } : { kind: 'nothing' };
}
