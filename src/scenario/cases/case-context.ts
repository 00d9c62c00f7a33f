import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Interpreter } from '../interpreter.ts';
import type { Loaded } from '../load.ts';
import { loadScenario } from '../load.ts';
import type { Result } from '../run/result.ts';
import { LINE_END } from '../source/lines.ts';
import type { Pos } from '../source/position.ts';
import { fileLoader } from '../syntax/file-loader.ts';
import type { IncludeLoader } from '../syntax/include-loader.ts';
import type { TextCase } from './case-file.ts';
import { type CaseOptions, parseOptions, resolveEscapes } from './case-options.ts';

/** A case at work: its input read and run once, when the first section asks. */
export class CaseContext {
  readonly options: CaseOptions;
  readonly input: string;
  /** Name of the input: a path when there are files to include. */
  readonly file: string;
  readonly loader: IncludeLoader | undefined;
  readonly #folder: string | undefined;
  #loaded: Loaded | undefined;
  #result: Promise<Result> | undefined;

  constructor(one: TextCase) {
    this.options = parseOptions(one.options, one.place);
    this.input = this.options.escapes ? resolveEscapes(one.input) : one.input;
    if (one.files.size === 0) {
      this.file = this.options.file;
      return;
    }
    this.#folder = realpathSync(mkdtempSync(join(tmpdir(), 'scenario-case-')));
    const top = join(this.#folder, 'top');
    mkdirSync(top);
    for (const [path, text] of one.files) {
      const target = join(top, path);
      mkdirSync(dirname(target), { recursive: true });
      writeFileSync(target, text);
    }
    this.file = join(top, this.options.file);
    this.loader = fileLoader({ topDir: top, libraryRoot: join(top, 'library') });
  }

  get loaded(): Loaded {
    this.#loaded ??= this.load(this.input);
    return this.#loaded;
  }

  load(text: string): Loaded {
    const { registry, rigSeverity, strict, variables } = this.options;
    return loadScenario(text, this.file, {
      registry,
      rigSeverity: strict ? 'error' : rigSeverity,
      variables,
      ...(this.loader ? { loader: this.loader } : {}),
    });
  }

  /** The dry-run of the input. */
  get result(): Promise<Result> {
    this.#result ??= this.#run();
    return this.#result;
  }

  #run(): Promise<Result> {
    const { registry, sensors, variables, strict, stopOnFail } = this.options;
    return new Interpreter({
      mode: 'dry-run',
      registry,
      sensors,
      variables,
      strict,
      stopOnFail,
      quiet: true,
      out: () => {},
      ...(this.loader ? { loader: this.loader } : {}),
    }).run(this.input, this.file);
  }

  /** `lib/x.oql` for an included file; undefined for the input itself. */
  fileOf(pos: Pos): string | undefined {
    if (pos.file === this.file) return undefined;
    const top = dirname(this.file);
    return pos.file.startsWith(`${top}/`) ? pos.file.slice(top.length + 1) : pos.file;
  }

  /** The text at a position in the input; undefined when it lies in another file. */
  textAt(pos: Pos): string | undefined {
    if (pos.file !== this.file) return undefined;
    const lines = this.input.replace(/^\uFEFF/, '').split(LINE_END);
    if (pos.line === pos.endLine) return lines[pos.line - 1]?.slice(pos.col - 1, pos.endCol - 1);
    const inner = lines.slice(pos.line - 1, pos.endLine);
    return [inner[0]?.slice(pos.col - 1), ...inner.slice(1, -1), inner.at(-1)?.slice(0, pos.endCol - 1)].join(
      '\n',
    );
  }

  close(): void {
    if (this.#folder) rmSync(this.#folder, { recursive: true, force: true });
  }
}
