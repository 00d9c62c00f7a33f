import { suggest } from '../../scenario/diagnostics/suggest.ts';
import type { Program } from '../../scenario/program/program.ts';
import { goalsOf, isNamed } from '../../scenario/program/select-goals.ts';
import { usageError } from '../errors/cli-error.ts';
import type { RunOptions } from '../run/run-settings.ts';

/** A scenario that may be selected. */
export interface Selectable {
  /** In messages. */
  readonly name: string;
  /** As read, with all of its goals. */
  readonly program: Program;
}

/** The words of `TAGS:`, as written. */
export const tagsOf = ({ metadata }: Program): string[] =>
  (metadata.TAGS ?? '').split(/[\s,;]+/).filter((tag) => tag !== '');

/**
 * Why `--tag` and `--goal` leave scenarios out: a reason for each, in order; undefined for those that are run.
 * @throws CliError exit code 2 when a name selects nothing, so that a typing error never looks like a run
 */
export function leftOutBy(
  scenarios: readonly Selectable[],
  { tag: tags, goal: goals }: Pick<RunOptions, 'tag' | 'goal'>,
): (string | undefined)[] {
  const isTagged = ({ program }: Selectable) =>
    tags === undefined || tagsOf(program).some((one) => tags.some((tag) => same(one, tag)));
  for (const tag of tags ?? []) requireTag(tag, scenarios);
  const tagged = scenarios.filter(isTagged);
  for (const goal of goals ?? []) requireGoal(goal, tagged);
  const hasGoal = ({ program }: Selectable) =>
    goals === undefined || goalsOf(program).some((block) => goals.some((goal) => isNamed(block, goal)));
  return scenarios.map((one) => {
    if (!isTagged(one)) return 'left out by --tag';
    return hasGoal(one) ? undefined : 'left out by --goal';
  });
}

const same = (a: string, b: string): boolean => a.toLowerCase() === b.trim().toLowerCase();

function requireTag(tag: string, scenarios: readonly Selectable[]): void {
  const known = [...new Set(scenarios.flatMap(({ program }) => tagsOf(program)))];
  if (known.some((one) => same(one, tag))) return;
  throw usageError(`--tag "${tag}" selects nothing: ${remedy(tag, known, 'tags', subjectOf(scenarios))}`);
}

function requireGoal(goal: string, scenarios: readonly Selectable[]): void {
  const blocks = scenarios.flatMap(({ program }) => goalsOf(program));
  if (blocks.some((block) => isNamed(block, goal))) return;
  const known = [...new Set(blocks.map(({ name }) => name))];
  throw usageError(`--goal "${goal}" selects nothing: ${remedy(goal, known, 'goals', subjectOf(scenarios))}`);
}

const subjectOf = (scenarios: readonly Selectable[]): string =>
  scenarios.length === 1 ? (scenarios[0]?.name ?? '') : `these ${scenarios.length} scenarios`;

const MOST_LISTED = 10;

function remedy(word: string, known: readonly string[], noun: string, subject: string): string {
  const near = suggest(word, known);
  if (near !== undefined) return `did you mean "${near}"?`;
  if (known.length === 0) return `${subject} ${subject.startsWith('these') ? 'have' : 'has'} no ${noun}`;
  const more = known.length > MOST_LISTED ? ` and ${known.length - MOST_LISTED} more` : '';
  const listed = known.slice(0, MOST_LISTED).map((one) => `"${one}"`);
  return `the ${noun} of ${subject} are ${listed.join(', ')}${more}`;
}

/** @throws CliError exit code 2 when the options leave the one scenario out */
export function requireSelected(scenario: Selectable, options: Pick<RunOptions, 'tag' | 'goal'>): void {
  leftOutBy([scenario], options);
}
