import type { IncludeLoader, LoadedInclude } from '../syntax/include-loader.ts';

export interface TableLoaderOptions {
  /** Every file that may be included, by its absolute path with `/`. */
  readonly files: ReadonlyMap<string, string | Uint8Array>;
  /** Directory of macro libraries; it and its `lib/` are searched. */
  readonly libraryRoot: string;
  /** Directory of the top file. */
  readonly topDir: string;
}

/** Finds included files in a table, where there is no file system: the same places as `fileLoader`, in the same order. */
export function tableLoader({ files, libraryRoot, topDir }: TableLoaderOptions): IncludeLoader {
  const roots = [topDir, libraryRoot];
  return {
    load(includePath, fromFile): LoadedInclude {
      const tried = [
        resolvePath(folderOf(fromFile), includePath),
        resolvePath(libraryRoot, includePath),
        resolvePath(`${libraryRoot}/lib`, includePath),
      ];
      for (const file of tried) {
        const source = isUnder(file, roots) ? files.get(file) : undefined;
        if (source !== undefined) return { file, source };
      }
      // Whether such a file exists is not known here; it could not be included in either case.
      const outside = tried.some((file) => !isUnder(file, roots));
      return { error: outside ? 'outside-root' : 'not-found', tried: [...new Set(tried)] };
    },
  };
}

const isUnder = (file: string, roots: readonly string[]): boolean =>
  roots.some((root) => file.startsWith(`${root}/`));

export const folderOf = (file: string): string => file.slice(0, Math.max(0, file.lastIndexOf('/')));

/** A path as seen from an absolute folder, without `.` and `..`. */
function resolvePath(folder: string, path: string): string {
  const parts: string[] = [];
  for (const part of (path.startsWith('/') ? path : `${folder}/${path}`).split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '' && part !== '.') parts.push(part);
  }
  return `/${parts.join('/')}`;
}
