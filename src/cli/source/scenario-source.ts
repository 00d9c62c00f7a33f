/** A scenario text as it was found, before anything is read from it. */
export interface ScenarioSource {
  /** Path as given, or the URL without credentials: the file of every position. */
  readonly name: string;
  readonly bytes: Uint8Array;
  /** Where includes may be looked up besides the library root; undefined for a URL. */
  readonly directory: string | undefined;
}

const SCHEME = /^[a-z][a-z0-9+.-]+:\/\//i;

export const isUrl = (name: string): boolean => SCHEME.test(name);
