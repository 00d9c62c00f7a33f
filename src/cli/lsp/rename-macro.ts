import {
  ErrorCodes,
  type Location,
  ResponseError,
  type TextEdit,
  type WorkspaceEdit,
} from 'vscode-languageserver';
import type { Analysis } from '../../scenario/language-service/analysis.ts';
import { type DefinedMacro, macroReferences } from '../../scenario/language-service/macros.ts';
import { renameEdits, renameFault } from '../../scenario/language-service/rename.ts';
import { locationOf } from './convert.ts';
import type { Workspace } from './workspace.ts';

/** The name of a file for the editor: that under which it is open, else its `file:` URI. */
export type UriOf = (file: string) => string;

const keyOf = ({ uri, range: { start } }: Location): string => `${uri} ${start.line}:${start.character}`;

/** Definition and calls of a macro in the text and in every scenario of the workspace. */
export async function workspaceReferences(
  workspace: Workspace,
  analysis: Analysis,
  macro: DefinedMacro,
  uriOf: UriOf,
): Promise<Location[]> {
  const found = new Map<string, Location>();
  const add = (one: Analysis) => {
    for (const place of macroReferences(one, macro)) {
      const location = locationOf(one, place, uriOf(place.file));
      found.set(keyOf(location), location);
    }
  };
  add(analysis);
  for await (const other of workspace.all()) add(other);
  return [...found.values()];
}

/**
 * Renames a macro in the text and in every scenario of the workspace that calls it.
 * @throws ResponseError when the name cannot be used in one of them
 */
export async function workspaceRename(
  workspace: Workspace,
  analysis: Analysis,
  macro: DefinedMacro,
  newName: string,
  uriOf: UriOf,
): Promise<WorkspaceEdit> {
  const changes: Record<string, TextEdit[]> = {};
  const seen = new Set<string>();
  const add = (one: Analysis) => {
    const edits = renameEdits(one, macro, newName);
    if (edits.length === 0) return;
    const fault = renameFault(one, macro, newName);
    if (fault !== undefined) throw new ResponseError(ErrorCodes.InvalidParams, `${one.file}: ${fault}`);
    for (const edit of edits) {
      const location = locationOf(one, edit, uriOf(edit.file));
      if (seen.has(keyOf(location))) continue;
      seen.add(keyOf(location));
      const list = changes[location.uri] ?? [];
      list.push({ range: location.range, newText: edit.text });
      changes[location.uri] = list;
    }
  };
  add(analysis);
  for await (const other of workspace.all()) add(other);
  return { changes };
}
