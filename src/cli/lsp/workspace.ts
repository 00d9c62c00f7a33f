import { readFileSync } from 'node:fs';
import { dirname, isAbsolute, relative, sep } from 'node:path';
import { type Analysis, analyse } from '../../scenario/language-service/analysis.ts';
import { decode } from '../../scenario/source/decode.ts';
import { fileLoader } from '../../scenario/syntax/file-loader.ts';
import { type IncludeLoader, noLoader } from '../../scenario/syntax/include-loader.ts';
import type { Io } from '../io/io.ts';
import { libraryRoot } from '../options/library.ts';
import { type RigSettings, rigSettings } from '../rig/rig-settings.ts';
import { scenarioFilesIn } from './scenario-files.ts';

export interface WorkspaceOptions {
  /** Folder that the editor has opened: where svc.yaml and `scenarios` are looked up. */
  readonly root: string;
  readonly library?: string | undefined;
  /** The texts that are open in the editor, by file: they count instead of the files. */
  readonly open: (file: string) => string | undefined;
}

interface Kept {
  readonly text: string;
  readonly analysis: Analysis;
}

/** The files and the rig behind the texts of an editor. */
export class Workspace {
  readonly root: string;
  readonly #place: Pick<Io, 'env' | 'cwd'>;
  readonly #library: string | undefined;
  readonly #open: WorkspaceOptions['open'];
  readonly #kept = new Map<string, Kept>();
  #rig: Promise<RigSettings> | undefined;

  /** @throws CliError when the library is not a folder */
  constructor({ root, library, open }: WorkspaceOptions, { env }: Pick<Io, 'env'>) {
    this.root = root;
    this.#place = { env, cwd: root };
    this.#library = libraryRoot(library, this.#place);
    this.#open = open;
  }

  /** Forgets what was read: a file or the configuration has changed. */
  refresh(): void {
    this.#rig = undefined;
    this.#kept.clear();
  }

  /** Forgets the texts that include a file. */
  forget(file: string): void {
    for (const [name, { analysis }] of this.#kept) if (analysis.sources.has(file)) this.#kept.delete(name);
  }

  /** Whether a text includes a file, as far as it was analysed. */
  includes(name: string, file: string): boolean {
    return name !== file && this.#kept.get(name)?.analysis.sources.has(file) === true;
  }

  /** The rig of `svc.yaml`. @throws ConfigError when it cannot be used */
  rig(): Promise<RigSettings> {
    this.#rig ??= rigSettings(this.#place);
    return this.#rig;
  }

  /** @throws ConfigError when `svc.yaml` cannot be used */
  async analysis(file: string, text: string): Promise<Analysis> {
    const { registry, limits, interlocks } = await this.rig();
    const kept = this.#kept.get(file);
    if (kept?.text === text) return kept.analysis;
    const analysis = analyse(text, file, {
      registry,
      limits,
      interlocks,
      loader: this.loader(file),
      includePaths: (from) => this.#includePaths(from),
    });
    this.#kept.set(file, { text, analysis });
    return analysis;
  }

  /** Analyses of all scenarios of the workspace and the library; files that cannot be read are left out. */
  async *all(): AsyncGenerator<Analysis> {
    for (const file of this.#files()) {
      const text = this.#open(file) ?? textOf(file);
      if (text !== undefined) yield await this.analysis(file, text);
    }
  }

  /** Where INCLUDE finds its files, as for `svcctl validate`; open texts count instead of their files. */
  loader(file: string): IncludeLoader {
    const library = this.#library === undefined ? {} : { libraryRoot: this.#library };
    if (!isAbsolute(file) && this.#library === undefined) return noLoader;
    const files = fileLoader({ ...library, ...(isAbsolute(file) ? { topDir: dirname(file) } : {}) });
    return {
      load: (includePath, fromFile) => {
        const loaded = files.load(includePath, fromFile);
        if (!('file' in loaded)) return loaded;
        return { file: loaded.file, source: this.#open(loaded.file) ?? loaded.source };
      },
    };
  }

  #files(): string[] {
    const found = new Set(scenarioFilesIn(this.root));
    if (this.#library !== undefined) for (const file of scenarioFilesIn(this.#library)) found.add(file);
    return [...found];
  }

  /** Files beside a scenario and in the library, as INCLUDE names them. */
  #includePaths(from: string): string[] {
    const folders = [
      ...(isAbsolute(from) ? [dirname(from)] : []),
      ...(this.#library === undefined ? [] : [this.#library]),
    ];
    const paths = new Set<string>();
    for (const folder of folders)
      for (const file of scenarioFilesIn(folder))
        if (file !== from) paths.add(relative(folder, file).split(sep).join('/'));
    return [...paths].sort();
  }
}

function textOf(file: string): string | undefined {
  try {
    const decoded = decode(readFileSync(file));
    return 'text' in decoded ? decoded.text : undefined;
  } catch {
    return undefined;
  }
}
