import type { TextCase } from '../../cases/case-file.ts';
import { compareRecords } from '../../cases/record-line.ts';
import type { IncludeLoader } from '../../syntax/include-loader.ts';
import { type CheckedScenario, loadChecked } from '../load-checked.ts';
import { caseRig } from './case-rig.ts';

/** Includes of a case: its own further files. */
const loaderOf = ({ files }: TextCase): IncludeLoader => ({
  load: (path) => {
    const text = files.get(path);
    return text === undefined ? { error: 'not-found', tried: [path] } : { file: path, source: text };
  },
});

export function checkedCase(one: TextCase): CheckedScenario {
  const safety = caseRig(one.options, one.place);
  const loaded = loadChecked(one.input, 'case.oql', {
    rigSeverity: 'error',
    safety,
    ...(one.files.size > 0 ? { loader: loaderOf(one) } : {}),
  });
  // A case that the reader refuses already proves nothing about the safety check.
  if (!loaded.safety)
    throw new Error(`${one.place}: ${loaded.diagnostics.map(({ code, message }) => `${code} ${message}`)}`);
  return loaded;
}

/** What was found and what the case wants: `SCN276 7 message~"pump-main on"`, or `none`. */
export function compareFindings(
  { safety }: CheckedScenario,
  lines: readonly string[],
): { actual: string[]; expected: string[] } {
  const records = (safety?.findings ?? []).map(({ code, pos, stack, message }) => ({
    type: code,
    fields: { line: pos.line, file: pos.file, call: stack?.at(-1)?.line, message },
  }));
  return compareRecords(lines, records, (word) =>
    /^\d+$/.test(word) ? { name: 'line', value: Number(word) } : undefined,
  );
}
