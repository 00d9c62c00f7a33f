import { printName } from '../format/words.ts';
import { PARAMETERS } from '../program/compile/scope.ts';
import type { Document } from '../syntax/node.ts';
import type { Analysis } from './analysis.ts';

/** The variables that a text and its includes define, in order of their names. */
export function variablesOf({ document, environment: { registry } }: Analysis): string[] {
  const names = new Set<string>();
  const gather = ({ definitions, includes }: Document) => {
    const { declared, defined, saved, targets } = definitions;
    for (const name of [...declared, ...defined, ...saved]) names.add(name);
    for (const name of targets) if (!registry.peripheral(name) && !registry.sensor(name)) names.add(name);
    includes.forEach(gather);
  };
  gather(document);
  for (const name of PARAMETERS) names.delete(name);
  return [...names].sort();
}

/** The named goals of the text. */
export const goalsOf = ({ document }: Analysis): string[] => [
  ...new Set(
    document.items.flatMap((item) =>
      item.type === 'block' && item.kind === 'GOAL' && item.name ? [item.name] : [],
    ),
  ),
];

/** A name as it is written at a place: as it is inside quotes, else bare or quoted. */
export const writtenName = (name: string, quoted: boolean): string => (quoted ? name : printName(name));
