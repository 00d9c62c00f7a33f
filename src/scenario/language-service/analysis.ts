import { type CheckedScenario, loadChecked } from '../safety/load-checked.ts';
import { decode } from '../source/decode.ts';
import { type IncludeLoader, noLoader } from '../syntax/include-loader.ts';
import type { LanguageEnvironment } from './environment.ts';
import { SourceText } from './source-text.ts';

/** One state of a text, read and checked once for every question about it. */
export interface Analysis {
  readonly file: string;
  readonly source: SourceText;
  readonly environment: LanguageEnvironment;
  /** As `svcctl validate` judges it. */
  readonly checked: CheckedScenario;
  /** The text and every file it includes, by name. */
  readonly sources: ReadonlyMap<string, SourceText>;
  /** The file that each INCLUDE of the text names, by the path as written. */
  readonly included: ReadonlyMap<string, string>;
}

/** Reads and checks a text. Never throws. @param file its name, from which includes are looked up */
export function analyse(text: string, file: string, environment: LanguageEnvironment): Analysis {
  const source = new SourceText(text);
  const sources = new Map([[file, source]]);
  const included = new Map<string, string>();
  const { registry, limits, interlocks, loader = noLoader } = environment;
  const checked = loadChecked(text, file, {
    loader: recording(loader, file, sources, included),
    safety: { registry, limits, interlocks },
  });
  return { file, source, environment, checked, sources, included };
}

/** Keeps the texts of the files that are included, to find positions in them. */
const recording = (
  loader: IncludeLoader,
  top: string,
  sources: Map<string, SourceText>,
  included: Map<string, string>,
): IncludeLoader => ({
  load(includePath, fromFile) {
    const loaded = loader.load(includePath, fromFile);
    if (!('file' in loaded)) return loaded;
    if (fromFile === top) included.set(includePath, loaded.file);
    if (sources.has(loaded.file)) return loaded;
    const decoded = decode(loaded.source);
    if ('text' in decoded) sources.set(loaded.file, new SourceText(decoded.text));
    return loaded;
  },
});
