export type LoadedInclude =
  | { readonly file: string; readonly source: string | Uint8Array }
  | { readonly error: 'not-found' | 'outside-root'; readonly tried: readonly string[] };

/** Source of the files for INCLUDE. Synchronous: reading a scenario never waits. */
export interface IncludeLoader {
  load(includePath: string, fromFile: string): LoadedInclude;
}

/** Finds nothing: for texts outside a file system. */
export const noLoader: IncludeLoader = { load: () => ({ error: 'not-found', tried: [] }) };
