import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { build } from 'esbuild';
import { nativeAddons } from '../../lib/bundle/native-addons.mjs';

export interface Finished {
  /** Exit code; null after a signal. */
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Started {
  readonly child: ChildProcess;
  readonly finished: Promise<Finished>;
  /** Resolves when stdout or stderr holds the text. */
  until(text: string): Promise<void>;
}

interface Options {
  readonly env?: Readonly<Record<string, string>>;
  readonly input?: string;
}

/** A real program in a directory of its own: bundled once, run as a process. */
export class SvcctlProcess {
  readonly directory = mkdtempSync(join(tmpdir(), 'svcctl-test-'));
  readonly #entry: string;

  /** @param entry source of the program */
  constructor(entry = 'src/cli/svcctl/main.ts') {
    this.#entry = entry;
  }

  /** Bundles the sources as the build does. */
  async build(): Promise<void> {
    await build({
      absWorkingDir: process.cwd(),
      entryPoints: { program: this.#entry },
      outdir: join(this.directory, '.bundle'),
      outExtension: { '.js': '.cjs' },
      bundle: true,
      platform: 'node',
      format: 'cjs',
      loader: { '.node': 'copy' },
      target: 'node20',
      define: { SVC_VERSION: '"1.2.3"', 'import.meta.url': '""', 'process.env.LIBSQL_JS_DEV': '"1"' },
      plugins: [
        nativeAddons({
          target: `${process.platform}-${process.arch}`,
          modules: [join(process.cwd(), 'node_modules')],
        }),
      ],
      logLevel: 'silent',
    });
  }

  get program(): string {
    return join(this.directory, '.bundle', 'program.cjs');
  }

  /** Writes a file below the directory and returns its name. */
  write(name: string, content: string | Uint8Array): string {
    const path = join(this.directory, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content);
    return name;
  }

  path(name: string): string {
    return join(this.directory, name);
  }

  run(args: readonly string[], options: Options = {}): Promise<Finished> {
    return this.start(args, options).finished;
  }

  start(args: readonly string[], { env = {}, input = '' }: Options = {}): Started {
    const child = spawn(process.execPath, [this.program, ...args], {
      cwd: this.directory,
      env: { PATH: process.env.PATH ?? '', ...env },
    });
    return this.#follow(child, input);
  }

  /** On a terminal of 80 columns, by the `script` of util-linux. Both streams come on stdout. */
  startOnTerminal(args: readonly string[], { env = {} }: Options = {}): Started {
    const quoted = [process.execPath, this.program, ...args].map(
      (word) => `'${word.replaceAll("'", "'\\''")}'`,
    );
    const command = `stty cols 80 rows 24; exec ${quoted.join(' ')}`;
    const child = spawn('script', ['-qefc', command, '/dev/null'], {
      cwd: this.directory,
      env: { PATH: process.env.PATH ?? '', TERM: 'xterm', SHELL: '/bin/sh', ...env },
    });
    return this.#follow(child, undefined);
  }

  /** Ends what still runs and removes the directory. */
  dispose(): void {
    for (const child of this.#children) child.kill('SIGKILL');
    rmSync(this.directory, { recursive: true, force: true });
  }

  readonly #children = new Set<ChildProcess>();

  #follow(child: ChildProcess, input: string | undefined): Started {
    const texts = { stdout: '', stderr: '' };
    const waiting = new Set<() => void>();
    this.#children.add(child);
    for (const name of ['stdout', 'stderr'] as const)
      child[name]?.setEncoding('utf8').on('data', (chunk: string) => {
        texts[name] += chunk;
        for (const check of waiting) check();
      });
    if (input !== undefined) child.stdin?.end(input);
    const finished = new Promise<Finished>((resolve, reject) => {
      child.once('error', reject);
      child.once('close', (code) => {
        this.#children.delete(child);
        resolve({ code, ...texts });
      });
    });
    const until = (text: string) =>
      new Promise<void>((resolve, reject) => {
        const check = () => {
          if (!`${texts.stdout}\n${texts.stderr}`.includes(text)) return;
          waiting.delete(check);
          resolve();
        };
        waiting.add(check);
        finished.then(() => {
          check();
          reject(new Error(`ended without "${text}": ${JSON.stringify(texts)}`));
        }, reject);
        check();
      });
    return { child, finished, until };
  }
}

/** The one JSON document on stdout; fails when there is anything else. */
export function onlyJson({ stdout }: Finished): Record<string, unknown> {
  const lines = stdout.split('\n');
  if (lines.length !== 2 || lines[1] !== '') throw new Error(`not one line of JSON: ${stdout.slice(0, 500)}`);
  return JSON.parse(lines[0] ?? '') as Record<string, unknown>;
}
