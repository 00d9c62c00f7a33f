import type { Analysis } from './analysis.ts';
import type { TextRange } from './source-text.ts';

/** A command that an editor offers above a line. */
export interface CodeLens extends TextRange {
  readonly title: string;
  readonly command: 'dry-run';
  /** Only this goal; undefined for the whole scenario. */
  readonly goal: string | undefined;
}

/** A dry-run of the scenario, at its first block, and of each named goal. A library has nothing to run. */
export function codeLenses({ source, document }: Analysis): CodeLens[] {
  const blocks = document.items.filter((item) => item.type === 'block');
  const goals = blocks.filter(({ kind }) => kind === 'GOAL');
  const [first] = blocks;
  if (!first || goals.length === 0) return [];
  const whole: CodeLens = {
    ...source.range(first.header),
    title: 'Dry-run the scenario',
    command: 'dry-run',
    goal: undefined,
  };
  if (goals.length === 1) return [whole];
  const named = goals.filter(({ name }) => name !== '');
  return [
    whole,
    ...named.map(
      ({ header, name }): CodeLens => ({
        ...source.range(header),
        title: 'Dry-run this goal',
        command: 'dry-run',
        goal: name,
      }),
    ),
  ];
}
