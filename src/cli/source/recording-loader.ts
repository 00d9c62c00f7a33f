import { sha256 } from '../../scenario/records/event-chain.ts';
import type { HashedFile } from '../../scenario/records/run-identity.ts';
import { decode } from '../../scenario/source/decode.ts';
import { fileLoader } from '../../scenario/syntax/file-loader.ts';
import type { IncludeLoader } from '../../scenario/syntax/include-loader.ts';
import { SourceTexts } from '../diagnostics/source-texts.ts';
import type { ScenarioSource } from './scenario-source.ts';

/** The loader of a scenario's includes, and every text that was read, for findings to quote. */
export interface Sources {
  readonly loader: IncludeLoader;
  readonly texts: SourceTexts;
  /** The files that were included so far. */
  readonly includes: readonly HashedFile[];
}

export function sourcesOf(
  { name, bytes, directory }: ScenarioSource,
  libraryRoot: string | undefined,
): Sources {
  const texts = new SourceTexts();
  const includes: HashedFile[] = [];
  const record = (file: string, source: string | Uint8Array) => {
    const decoded = decode(source);
    if ('text' in decoded) texts.add(file, decoded.text);
  };
  record(name, bytes);
  const files = fileLoader({
    ...(libraryRoot === undefined ? {} : { libraryRoot }),
    ...(directory === undefined ? {} : { topDir: directory }),
  });
  const load: IncludeLoader['load'] = (includePath, fromFile) => {
    const loaded = files.load(includePath, fromFile);
    if ('file' in loaded && !includes.some(({ file }) => file === loaded.file)) {
      record(loaded.file, loaded.source);
      includes.push({ file: loaded.file, sha256: sha256(loaded.source) });
    }
    return loaded;
  };
  return { loader: { load }, texts, includes };
}
