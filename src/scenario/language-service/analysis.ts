import { type CheckedScenario, loadChecked } from '../safety/load-checked.ts';
import { decode } from '../source/decode.ts';
import { type IncludeLoader, noLoader } from '../syntax/include-loader.ts';
import type { Document } from '../syntax/node.ts';
import { readDocument } from '../syntax/reader.ts';
import type { LanguageEnvironment } from './environment.ts';
import { SourceText } from './source-text.ts';

/** One state of a text, read and checked once for every question about it. */
export interface Analysis {
  readonly file: string;
  readonly source: SourceText;
  readonly environment: LanguageEnvironment;
  /** The tree alone: read in a fraction of the time of the check, for what is asked while typing. */
  readonly document: Document;
  /** As `svcctl validate` judges it; checked when it is first asked for. */
  readonly checked: CheckedScenario;
  /** The text and every file it includes, by name. */
  readonly sources: ReadonlyMap<string, SourceText>;
  /** The file that each INCLUDE of the text names, by the path as written. */
  readonly included: ReadonlyMap<string, string>;
}

/** Reads a text. Never throws. @param file its name, from which includes are looked up */
export function analyse(text: string, file: string, environment: LanguageEnvironment): Analysis {
  const source = new SourceText(text);
  const sources = new Map([[file, source]]);
  const included = new Map<string, string>();
  const { registry, limits, interlocks } = environment;
  const loader = recording(environment.loader ?? noLoader, file, sources, included);
  const { document } = readDocument(text, file, { loader });
  let checked: CheckedScenario | undefined;
  return {
    file,
    source,
    environment,
    document,
    get checked() {
      checked ??= loadChecked(text, file, { loader, safety: { registry, limits, interlocks } });
      return checked;
    },
    sources,
    included,
  };
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
