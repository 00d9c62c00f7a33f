import { UNIT_NAMES } from '../../rig/units/units.ts';
import { COMMANDS } from '../commands/table.ts';
import { CATALOGUE } from '../diagnostics/catalogue.ts';
import { ATTRIBUTE_NAMES, BLOCK_KINDS, METADATA_KEYS, SECTION_NAMES } from '../syntax/words.ts';

/** What an editor needs for completion, hover and highlighting, from the tables that the reader itself uses. */
export function editorData(): object {
  return {
    schema_version: 1,
    extensions: ['.oql', '.cql'],
    comment: '#',
    blocks: [...BLOCK_KINDS.keys()],
    metadata: [...METADATA_KEYS],
    sections: [...SECTION_NAMES],
    attributes: [...ATTRIBUTE_NAMES],
    units: UNIT_NAMES,
    commands: COMMANDS,
    diagnostics: Object.fromEntries(Object.entries(CATALOGUE).map(([code, { name }]) => [code, name])),
  };
}

/** The data as the file `docs/language.json` holds it. */
export const editorDataText = (): string => `${JSON.stringify(editorData(), null, 2)}\n`;
