import type { Args } from '../forms/args.ts';
import type { Form, FormName, FormOf } from '../forms/form.ts';
import type { LineContext } from '../program/compile/line-context.ts';
import type { Instruction, InstructionOf, OperationName } from '../program/instruction.ts';
import type { Command, Flow } from '../run/command.ts';
import type { Timeouts } from '../run/timeouts.ts';
import type { BlockWalk } from '../safety/block-walk.ts';
import type { Reached, State } from '../safety/state.ts';
import type { Token } from '../source/token.ts';
import type { Definitions } from '../syntax/definitions.ts';
import type { ArgumentKind, ArgumentSpec, CommandSpec, Effect } from './spec.ts';

/** One word of the language, for documentation, editors and suggestions. */
interface Word {
  readonly aliases?: readonly string[];
  /** Language version that brought it; 1 when absent. */
  readonly since?: CommandSpec['since'];
  /** Where it may stand; in goals, CONFIG blocks and macros when absent. */
  readonly contexts?: CommandSpec['contexts'];
  /** `name:kind name:kind?`, a question mark for an optional one. */
  readonly args: string;
  readonly effect: Effect;
  readonly doc: string;
  /** Each parses without an error inside a goal. Lines are separated by `\n`. */
  readonly examples: readonly string[];
  readonly legacy?: true;
  readonly notExecutable?: true;
}

type Words = Readonly<Record<string, Word>>;

/** A variable that an operation sets. */
export interface Assignment {
  /** May contain `$name`, resolved when the command runs. */
  readonly name: string;
  /** Its value is written in the scenario; otherwise it follows from readings, answers or other variables. */
  readonly isLiteral: boolean;
}

/** How plan, safety check and run treat one operation. */
export interface OperationDefinition<I = Instruction> {
  /**
   * Its lines in a plan. They must show everything that it means.
   * @param nested the lines of a body inside it
   */
  plan(one: I, nested: (body: readonly Instruction[]) => readonly string[]): string | readonly string[];
  /** The longest time that it may take by itself, ms; `effect` adds pauses and bodies. */
  cost(one: I, timeouts: Timeouts): number;
  /** The possible states after it: actuators, variables, time. Undefined where the block ends. */
  effect(one: I, state: State, walk: BlockWalk): Reached;
  /** Executes it. @throws RunFault */
  run(one: I, command: Command): Promise<Flow> | Promise<void>;
  /** A fault of it ends the run, and not only the goal: it is about an actuator. */
  readonly endsRun?: true;
  /** The variable that it sets; absent for an operation that sets none. */
  sets?(one: I): Assignment | undefined;
}

/** Words that the reader handles itself; they have neither form nor operation. */
interface WordsDefinition {
  readonly words: Words;
  /** Parses the arguments. Undefined after a report, or when a macro argument is still missing. */
  parse(args: Args): Form | undefined;
  /** Its arguments are texts for people: only `$name` refers to a variable. */
  readonly isProse?: true;
  /** It is a check: CORRECT, ERROR and ELSE lines below belong to it. */
  readonly takesTexts?: true;
  /** The line adds to the check above it, as CORRECT, ERROR and ELSE do. */
  readonly continuesCheck?: true;
  /**
   * Notes the names that a line defines, before any line is compiled: a use may stand above its definition.
   * @param first the first argument
   * @param tokens all tokens, the command word first
   * @param command the word of the table
   */
  defines?(definitions: Definitions, first: string, tokens: readonly Token[], command: string): void;
}

export interface CommandDefinition<F extends FormName, O extends OperationName> extends WordsDefinition {
  /** What {@link parse} makes of its arguments; `parse` may also return the form of another command. */
  readonly form: F;
  /**
   * The canonical line.
   * @param command the word of the table, for a form that several words have
   * @param source the line as written, for forms that are kept as they are
   */
  print(form: FormOf<F>, command: string, source: string): string;
  /** Looks up the names of a form, reports what is wrong with them, and pushes its operations. */
  compile(form: FormOf<F>, line: LineContext): void;
  /** The operations that this command brought into the language. */
  readonly operations: { readonly [K in O]: OperationDefinition<InstructionOf<K>> };
}

export interface DefinedWords extends Omit<WordsDefinition, 'words'> {
  /** Its rows of the command table. */
  readonly specs: readonly CommandSpec[];
}

export type DefinedCommand<F extends FormName = FormName, O extends OperationName = never> = DefinedWords &
  Omit<CommandDefinition<F, O>, 'words'>;

/** Everything about one command. A missing member does not compile. */
export const defineCommand = <F extends FormName, O extends OperationName>({
  words,
  ...definition
}: CommandDefinition<F, O>): DefinedCommand<F, O> => ({ ...definition, specs: specsOf(words) });

export const defineWords = ({ words, ...definition }: WordsDefinition): DefinedWords => ({
  ...definition,
  specs: specsOf(words),
});

const BODY = ['goal', 'config', 'macro'] as const;

const specsOf = (words: Words): CommandSpec[] =>
  Object.entries(words).map(([name, word]) => ({
    name,
    aliases: word.aliases ?? [],
    since: word.since ?? 1,
    contexts: word.contexts ?? BODY,
    args: argumentsOf(word.args),
    effect: word.effect,
    doc: word.doc,
    examples: word.examples,
    ...(word.legacy ? { legacy: true } : {}),
    ...(word.notExecutable ? { notExecutable: true } : {}),
  }));

const argumentsOf = (args: string): ArgumentSpec[] =>
  args
    .split(' ')
    .filter(Boolean)
    .map((arg) => {
      const [name, kind] = arg.replace('?', '').split(':') as [string, ArgumentKind];
      return { name, kind, ...(arg.endsWith('?') ? { optional: true } : {}) };
    });
