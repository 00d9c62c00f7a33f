import { Registry } from '../rig/registry/registry.ts';
import type { Diagnostic } from './diagnostics/diagnostic.ts';
import { compile } from './program/compile/compile.ts';
import type { Program } from './program/program.ts';
import type { GivenVariable } from './run/variables.ts';
import type { IncludeLoader } from './syntax/include-loader.ts';
import type { Document } from './syntax/node.ts';
import { readDocument } from './syntax/reader.ts';

export interface LoadOptions {
  /** Where INCLUDE finds its files; default nowhere. */
  readonly loader?: IncludeLoader;
  /** Names the rig knows; default the built-in ones. */
  readonly registry?: Registry;
  /** Severity of class R: `error` in execute mode and with --strict; default `warning`. */
  readonly rigSeverity?: 'warning' | 'error';
  /** Variables that were given for the run: constants of it (LANG-074). */
  readonly variables?: Readonly<Record<string, GivenVariable>>;
  /** Size limit of each file, bytes; default 1 MiB. */
  readonly maxBytes?: number;
}

export interface Loaded {
  readonly document: Document;
  readonly program: Program;
  /** In order of file and position. */
  readonly diagnostics: readonly Diagnostic[];
}

const builtIn = new Registry();

/** Reads, checks and compiles a scenario. Never throws; whatever is wrong is a diagnostic. */
export function loadScenario(source: string | Uint8Array, file: string, options: LoadOptions = {}): Loaded {
  const { document, diagnostics } = readDocument(source, file, {
    ...(options.loader ? { loader: options.loader } : {}),
    ...(options.maxBytes === undefined ? {} : { maxBytes: options.maxBytes }),
  });
  const program = compile(document, diagnostics, {
    registry: options.registry ?? builtIn,
    given: options.variables ?? {},
  });
  return {
    document,
    program,
    diagnostics: diagnostics.finish({
      declaredVersion: document.declaredVersion,
      rig: options.rigSeverity ?? 'warning',
    }),
  };
}

/** True when a finding keeps the scenario from running. */
export const hasErrors = (diagnostics: readonly Diagnostic[]): boolean =>
  diagnostics.some((diagnostic) => diagnostic.severity === 'error');
