import { existsSync, readFileSync, realpathSync, statSync } from 'node:fs';
import path from 'node:path';
import type { IncludeLoader } from './include-loader.ts';

export interface FileLoaderOptions {
  /** Directory of macro libraries; it and its `lib/` are searched. */
  readonly libraryRoot?: string;
  /** Directory of the top file; undefined for scenarios from a URL, which see the library root only. */
  readonly topDir?: string;
  /** Called with each path at which a file is looked for. */
  readonly onLook?: (place: string) => void;
}

/**
 * Looks beside the including file, then in the library root and its `lib/`. The real path must lie under the library
 * root or the top file's directory, so that no link leads out.
 */
export function fileLoader({ libraryRoot, topDir, onLook }: FileLoaderOptions): IncludeLoader {
  const roots = [topDir, libraryRoot].filter((root) => root !== undefined).map(realPathOf);
  return {
    load(includePath, fromFile) {
      const candidates: string[] = [];
      if (topDir !== undefined || isUnder(path.resolve(fromFile), roots))
        candidates.push(path.resolve(path.dirname(fromFile), includePath));
      if (libraryRoot !== undefined)
        candidates.push(
          path.resolve(libraryRoot, includePath),
          path.resolve(libraryRoot, 'lib', includePath),
        );
      let outside = false;
      for (const candidate of candidates) {
        onLook?.(candidate);
        if (!existsSync(candidate)) continue;
        if (!isUnder(realPathOf(candidate), roots)) {
          outside = true;
          continue;
        }
        try {
          // Reading a pipe would wait for its writer, and svc-server with it.
          if (statSync(candidate).isFile()) return { file: candidate, source: readFileSync(candidate) };
        } catch {
          // A file without permission counts as not found, as a directory does; `tried` names it.
        }
      }
      return { error: outside ? 'outside-root' : 'not-found', tried: [...new Set(candidates)] };
    },
  };
}

function realPathOf(file: string): string {
  try {
    return realpathSync(file);
  } catch {
    return path.resolve(file);
  }
}

const isUnder = (file: string, roots: readonly string[]): boolean =>
  roots.some((root) => file === root || file.startsWith(root.endsWith(path.sep) ? root : root + path.sep));
