import { dequal } from 'dequal';
import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import { hasErrors, type LoadOptions, loadScenario } from '../load.ts';
import { planOf } from '../program/plan.ts';
import { printDocument } from './print-document.ts';

export type Formatted =
  | { readonly text: string }
  /** The text has errors and is not changed. */
  | { readonly diagnostics: readonly Diagnostic[] };

/**
 * The canonical form of a scenario: same version, same plan, comments in place.
 * A text with errors is refused. Formatting is idempotent.
 */
export function formatScenario(source: string, file: string, options: LoadOptions = {}): Formatted {
  const loaded = loadScenario(source, file, options);
  if (hasErrors(loaded.diagnostics)) return { diagnostics: loaded.diagnostics };
  const text = printDocument(loaded.document);
  // The result is checked: a text whose meaning would change is returned as written.
  return { text: keepsMeaning(loaded, text, file, options) ? text : source };
}

/** True when the formatted text has the plan and the version of the original. */
export function keepsMeaning(
  loaded: ReturnType<typeof loadScenario>,
  text: string,
  file: string,
  options: LoadOptions = {},
): boolean {
  const again = loadScenario(text, file, options);
  return (
    !hasErrors(again.diagnostics) &&
    again.document.version === loaded.document.version &&
    again.document.dialect === loaded.document.dialect &&
    dequal(planOf(again.program), planOf(loaded.program))
  );
}
