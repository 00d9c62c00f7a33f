import type { Limits } from '../../rig/configuration/types.ts';
import type { Interlock } from '../../rig/interlocks/interlock.ts';
import type { Registry } from '../../rig/registry/registry.ts';
import type { IncludeLoader } from '../syntax/include-loader.ts';

/** What the language service needs to know besides the text. */
export interface LanguageEnvironment {
  /** The names of the rig. */
  readonly registry: Registry;
  /** Bounds of setpoints and of a run, for the safety check. */
  readonly limits: Limits;
  /** Rules between actuators, for the safety check. */
  readonly interlocks: readonly Interlock[];
  /** Where INCLUDE finds its files; default nowhere. */
  readonly loader?: IncludeLoader;
  /** Paths that INCLUDE may name in a file, for completion; default none. */
  readonly includePaths?: (file: string) => readonly string[];
}
