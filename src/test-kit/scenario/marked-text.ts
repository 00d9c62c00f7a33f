import { DEFAULT_LIMITS } from '../../rig/configuration/types.ts';
import { Registry } from '../../rig/registry/registry.ts';
import { type Analysis, analyse } from '../../scenario/language-service/analysis.ts';
import type { LanguageEnvironment } from '../../scenario/language-service/environment.ts';
import type { IncludeLoader } from '../../scenario/syntax/include-loader.ts';
import { CONFIRMED } from '../rig/calibration.ts';

/** Includes from a table of texts, by path. */
export const tableLoader = (files: Readonly<Record<string, string>>): IncludeLoader => ({
  load(path) {
    const source = files[path];
    return source === undefined ? { error: 'not-found', tried: [path] } : { file: path, source };
  },
});

/** The rig of an editor's tests: the built-in names, AI01 calibrated to mbar. */
export const editorRig = (files: Readonly<Record<string, string>> = {}): LanguageEnvironment => ({
  registry: new Registry({
    sensors: [
      {
        id: 'ai01',
        unit: 'V',
        calibration: { kind: 'linear', id: 'cal-1', unit: 'mbar', scale: 100, offset: 0, ...CONFIRMED },
      },
    ],
  }),
  limits: DEFAULT_LIMITS,
  interlocks: [],
  loader: tableLoader(files),
  includePaths: () => Object.keys(files),
});

/** Analyses a text in which `|` marks the cursor; without one the cursor is at the start. */
export function analyseMarked(
  marked: string,
  files: Readonly<Record<string, string>> = {},
): { analysis: Analysis; offset: number } {
  const offset = Math.max(0, marked.indexOf('|'));
  return { analysis: analyse(marked.replace('|', ''), 'top.oql', editorRig(files)), offset };
}
