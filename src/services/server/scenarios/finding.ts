import { relative } from 'node:path';
import * as z from 'zod';
import type { Diagnostic } from '../../../scenario/diagnostics/diagnostic.ts';
import { explanationOf } from '../../../scenario/diagnostics/explanations.ts';
import { withRemedy } from './with-remedy.ts';

/** What keeps a scenario from being run. */
export const findingSchema = z.strictObject({
  code: z.string(),
  name: z.string(),
  message: z.string(),
  /** Below the folder of the scenarios: the scenario itself or a file that it includes; null: not about a place in a text. */
  file: z.string().nullable(),
  /** From 1. */
  line: z.int().nullable(),
  /** From 1, in UTF-16 units. */
  column: z.int().nullable(),
  remedy: z.string(),
});
export type Finding = z.output<typeof findingSchema>;

/** @param folder of the scenarios */
export function findingOf({ code, name, message, pos, suggestion }: Diagnostic, folder: string): Finding {
  const general = explanationOf(code).remedy;
  const remedy = suggestion === undefined ? general : `Did you mean ${suggestion}? ${general}`;
  return { code, name, message, file: relative(folder, pos.file), line: pos.line, column: pos.col, remedy };
}

/** One line for people. @param scenario path of the file that is meant where none is named */
export function findingLine(
  { code, message, file, line, column, remedy }: Finding,
  scenario: string,
): string {
  const place = line === null ? '' : ` ${file === scenario ? '' : `${file} `}line ${line}, column ${column}`;
  return `${code}${place}: ${withRemedy({ message, remedy })}`;
}
