import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

/** A rig of twins in a folder of its own, brought up by `npm start`'s program, and commands on it. */
export class RigProcess {
  readonly folder = mkdtempSync(join(tmpdir(), 'svc-pictures-'));
  readonly #child: ChildProcess;
  readonly #ended: Promise<unknown>;
  #text = '';
  #wake = () => {};

  private constructor() {
    const args = [resolve('dist/svc-start.cjs'), '--port', '0', '--bench-port', '0'];
    this.#child = spawn(process.execPath, args, {
      cwd: this.folder,
      env: { ...process.env, RIG_RUNTIME_DIR: join(this.folder, '.rig') },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    for (const stream of [this.#child.stdout, this.#child.stderr])
      stream?.setEncoding('utf8').on('data', (chunk: string) => {
        this.#text += chunk;
        this.#wake();
      });
    this.#ended = new Promise((done) => this.#child.once('close', done));
  }

  /** @throws Error when it ends before it is up */
  static async start(): Promise<RigProcess> {
    const rig = new RigProcess();
    await new Promise<void>((up, failed) => {
      rig.#wake = () => {
        if (rig.#text.includes('The rig is up')) up();
      };
      void rig.#ended.then(() => failed(new Error(`npm start ended:\n${rig.#text}`)));
    });
    return rig;
  }

  get bridgeUrl(): string {
    return this.#url(/svc-bridge.*?(http:\/\/127\.0\.0\.1:\d+)/);
  }

  get benchUrl(): string {
    return this.#url(/control port (http:\/\/127\.0\.0\.1:\d+)/);
  }

  #url(pattern: RegExp): string {
    const [, url] = pattern.exec(this.#text) ?? [];
    if (url === undefined) throw new Error(`no ${pattern} in the output of npm start`);
    return url;
  }

  /** Both streams of one call of `svcctl`, with its colours. */
  svcctl(...args: string[]): Promise<string> {
    const env = {
      ...process.env,
      FORCE_COLOR: '1',
      RIG_RUNTIME_DIR: join(this.folder, '.rig'),
      SVC_CONFIG_PATH: join(this.folder, '.rig/svc.yaml'),
      SVC_FIRMWARE_URL: this.bridgeUrl,
      SVC_BENCH_URL: this.benchUrl,
      SVC_STATE_DIR: join(this.folder, '.rig/state'),
    };
    return new Promise((done) => {
      execFile(process.execPath, [resolve('dist/svcctl.cjs'), ...args], { env }, (_error, stdout, stderr) =>
        done(stdout + stderr),
      );
    });
  }

  /** The answer of a service. @throws Error for another status than 2xx */
  async call(method: string, url: string, body?: unknown, lease?: string): Promise<Record<string, unknown>> {
    const response = await fetch(url, {
      method,
      headers: {
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(lease === undefined ? {} : { 'x-lease-id': lease }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${url}: ${response.status} ${text}`);
    return JSON.parse(text);
  }

  async end(): Promise<void> {
    this.#child.kill('SIGINT');
    await this.#ended;
    rmSync(this.folder, { recursive: true, force: true });
  }
}
