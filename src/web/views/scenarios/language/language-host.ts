import { interlockOf } from '../../../../rig/interlocks/interlock.ts';
import { Registry } from '../../../../rig/registry/registry.ts';
import { type Analysis, analyse } from '../../../../scenario/language-service/analysis.ts';
import { completionAt } from '../../../../scenario/language-service/completion.ts';
import type { LanguageEnvironment } from '../../../../scenario/language-service/environment.ts';
import { findingsOf } from '../../../../scenario/language-service/findings.ts';
import { formatEdit } from '../../../../scenario/language-service/formatting.ts';
import { hoverAt } from '../../../../scenario/language-service/hover.ts';
import { folderOf, tableLoader } from '../../../../scenario/language-service/table-loader.ts';
import { VOCABULARY } from '../../../../scenario/language-service/vocabulary.ts';
import type { EditedText, Method, Questions, RigLanguage } from './protocol.ts';

interface Rig {
  readonly folder: string;
  readonly environment: Omit<LanguageEnvironment, 'loader' | 'includePaths'>;
  readonly files: ReadonlyMap<string, Uint8Array>;
}

/** Answers the questions of an editor about its text, by the language service of the project. */
export class LanguageHost {
  #rig: Rig | undefined;
  #latest: Analysis | undefined;

  /** @throws Error before the rig is known */
  answer<M extends Method>(method: M, params: Questions[M]['params']): Questions[M]['answer'] {
    const answers: { [K in Method]: (params: Questions[K]['params']) => Questions[K]['answer'] } = {
      rig: (rig) => this.#setRig(rig),
      findings: (text) =>
        findingsOf(this.#analysis(text)).map(({ from, to, diagnostic, fixes }) => ({
          from,
          to,
          diagnostic,
          fixes,
        })),
      completion: (at) => completionAt(this.#analysis(at), at.offset),
      hover: (at) => hoverAt(this.#analysis(at), at.offset) ?? null,
      format: (text) => formatEdit(this.#analysis(text)),
      vocabulary: () => VOCABULARY,
    };
    return answers[method](params);
  }

  #setRig({ folder, registry: entries, limits, interlocks, files }: RigLanguage): null {
    const registry = new Registry(entries);
    this.#rig = {
      folder,
      environment: { registry, limits, interlocks: interlocks.map((one) => interlockOf(one, registry)) },
      files: new Map(files.map(({ file, base64 }) => [file, bytesOf(base64)])),
    };
    this.#latest = undefined;
    return null;
  }

  #analysis({ file, text }: EditedText): Analysis {
    if (!this.#rig) throw new Error('the rig of the scenario is not known');
    if (this.#latest?.file === file && this.#latest.source.text === text) return this.#latest;
    const { folder, environment, files } = this.#rig;
    this.#latest = analyse(text, file, {
      ...environment,
      loader: tableLoader({ files, libraryRoot: folder, topDir: folderOf(file) }),
      includePaths: (from) => includePaths([...files.keys()], folder, from),
    });
    return this.#latest;
  }
}

const bytesOf = (base64: string): Uint8Array => Uint8Array.from(atob(base64), (one) => one.charCodeAt(0));

/** Files beside a scenario and in the library, as INCLUDE names them. */
function includePaths(files: readonly string[], library: string, from: string): string[] {
  const paths = new Set<string>();
  for (const folder of [folderOf(from), library, `${library}/lib`])
    for (const file of files)
      if (file !== from && file.startsWith(`${folder}/`)) paths.add(file.slice(folder.length + 1));
  return [...paths].sort();
}
