import { printName } from '../format/words.ts';
import { LINE_END } from '../source/lines.ts';
import type { Analysis } from './analysis.ts';
import { type DefinedMacro, macroReferences, macrosOf } from './macros.ts';
import type { Place } from './place.ts';

/** A replacement in the text or in a file that it includes. */
export interface PlacedEdit extends Place {
  readonly text: string;
}

/** Why a macro cannot get that name in a text; undefined when it can. */
export function renameFault(analysis: Analysis, { name }: DefinedMacro, newName: string): string | undefined {
  if (newName.trim() === '') return 'the new name is empty: write a name';
  if (LINE_END.test(newName) || /[$:]/.test(newName))
    return `"${newName}" cannot be the name of a macro: leave out line ends, "$" and ":"`;
  if (newName.trim() !== name && macrosOf(analysis).has(newName.trim()))
    return `a macro named "${newName.trim()}" already exists: choose another name`;
  return undefined;
}

/** The edits that rename a macro in a text and its includes. */
export const renameEdits = (analysis: Analysis, target: DefinedMacro, newName: string): PlacedEdit[] =>
  macroReferences(analysis, target).map((place) => {
    // `FUNC:x` takes a quoted name only behind a blank.
    const isJoined = analysis.sources.get(place.file)?.text[place.from - 1] === ':';
    return { ...place, text: `${isJoined ? ' ' : ''}${printName(newName.trim())}` };
  });
