import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import type { Readable, Writable } from 'node:stream';
import { systemClock } from '../../lib/clock/clock.ts';

type Answer = Record<string, unknown>;

const MOST_ATTEMPTS = 50;
const RETRY_MS = 100;

/** Chromium without a window, driven over its DevTools pipe. Development only. */
export class Browser {
  readonly #child: ChildProcess;
  readonly #profile: string;
  readonly #size: { width: number; height: number };
  readonly #write: Writable;
  readonly #waiting = new Map<
    number,
    { resolve: (answer: Answer) => void; reject: (fault: Error) => void }
  >();
  readonly #ended: Promise<void>;
  #isOpen = true;
  #next = 1;
  #session: string | undefined;

  /**
   * @param program path of Chromium
   * @param env variables beside those of this process
   */
  static async open(
    program: string,
    size: { width: number; height: number },
    env: Readonly<Record<string, string>> = {},
  ): Promise<Browser> {
    const browser = new Browser(program, size, env);
    try {
      await browser.#attach();
      return browser;
    } catch (error) {
      await browser.close();
      throw error;
    }
  }

  async #attach(): Promise<void> {
    const { targetInfos } = (await this.#send('Target.getTargets')) as {
      targetInfos: { targetId: string; type: string }[];
    };
    const page = targetInfos.find(({ type }) => type === 'page');
    if (!page) throw new Error('Chromium has opened no page');
    const { targetId } = page;
    const { sessionId } = await this.#send('Target.attachToTarget', { targetId, flatten: true });
    this.#session = String(sessionId);
    await this.#send('Page.enable');
    await this.zoom(1);
  }

  private constructor(
    program: string,
    size: { width: number; height: number },
    env: Readonly<Record<string, string>>,
  ) {
    const { width, height } = size;
    this.#size = size;
    this.#profile = mkdtempSync(join(tmpdir(), 'training-browser-'));
    this.#child = spawn(
      program,
      [
        '--headless=new',
        '--no-sandbox',
        '--disable-gpu',
        '--hide-scrollbars',
        // Pages are shown without what they ask of other sites.
        '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1',
        '--force-color-profile=srgb',
        '--remote-debugging-pipe',
        `--user-data-dir=${this.#profile}`,
        `--window-size=${width},${height}`,
        'about:blank',
      ],
      {
        stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'],
        detached: true,
        env: { ...process.env, ...env },
      },
    );
    this.#ended = new Promise((resolve) => {
      const end = (why: string) => {
        this.#isOpen = false;
        for (const { reject } of this.#waiting.values()) reject(new Error(`${program} ${why}`));
        this.#waiting.clear();
        resolve();
      };
      this.#child.once('error', ({ message }) => end(`cannot be started: ${message}`));
      this.#child.once('close', () => end('has ended'));
    });
    this.#write = this.#child.stdio[3] as Writable;
    // What is written too late is answered by the end above.
    this.#write.on('error', () => undefined);
    let text = '';
    (this.#child.stdio[4] as Readable).setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
      for (let end = text.indexOf('\0'); end >= 0; end = text.indexOf('\0')) {
        this.#heard(JSON.parse(text.slice(0, end)));
        text = text.slice(end + 1);
      }
    });
  }

  /** Pictures have so many pixels for each of the page's, as on a dense display. */
  async zoom(deviceScaleFactor: number, size = this.#size): Promise<void> {
    await this.#send('Emulation.setDeviceMetricsOverride', {
      ...size,
      deviceScaleFactor,
      mobile: false,
    });
  }

  /** Shows a document and waits until it is drawn. */
  async show(html: string): Promise<void> {
    const { frameTree } = (await this.#send('Page.getFrameTree')) as { frameTree: { frame: { id: string } } };
    await this.#send('Page.setDocumentContent', { frameId: frameTree.frame.id, html });
    await this.drawn();
  }

  /** Waits until the page's fonts and pictures are drawn. */
  async drawn(): Promise<void> {
    await this.evaluate(
      'Promise.all([document.fonts.ready, ...[...document.images].map((image) => image.decode().catch(() => undefined))]).then(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))))',
    );
  }

  /** Opens the page of an address and waits until it is loaded. */
  async visit(url: string): Promise<void> {
    await this.#send('Page.navigate', { url });
    await this.evaluate(
      "new Promise((done) => (document.readyState === 'complete' ? done() : addEventListener('load', () => done())))",
    );
  }

  /** Value of an expression in the page, awaited. */
  async evaluate(expression: string): Promise<unknown> {
    const { result, exceptionDetails } = (await this.#send('Runtime.evaluate', {
      expression,
      awaitPromise: true,
      returnByValue: true,
    })) as { result: { value?: unknown }; exceptionDetails?: { exception?: { description?: string } } };
    if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? 'the page threw');
    return result.value;
  }

  /** What is seen, as PNG. */
  async shot(): Promise<Buffer> {
    const { data } = await this.#send('Page.captureScreenshot', { format: 'png' });
    return Buffer.from(String(data), 'base64');
  }

  /** Ends Chromium with all its processes and takes its profile away. */
  async close(): Promise<void> {
    const { pid } = this.#child;
    // Its helpers outlive it by a moment, and go on writing into the profile.
    if (pid !== undefined && this.#isOpen) process.kill(-pid, 'SIGKILL');
    await this.#ended;
    for (let attempt = 1; ; attempt++) {
      try {
        rmSync(this.#profile, { recursive: true, force: true });
        return;
      } catch (error) {
        if (attempt === MOST_ATTEMPTS) throw error;
        await systemClock.sleep(RETRY_MS);
      }
    }
  }

  #send(method: string, params: Answer = {}): Promise<Answer> {
    const id = this.#next++;
    const session = this.#session === undefined ? {} : { sessionId: this.#session };
    return new Promise((resolve, reject) => {
      if (!this.#isOpen) {
        reject(new Error('Chromium has ended'));
        return;
      }
      this.#waiting.set(id, { resolve, reject });
      this.#write.write(`${JSON.stringify({ id, method, params, ...session })}\0`);
    });
  }

  #heard({ id, result, error }: { id?: number; result?: Answer; error?: { message: string } }): void {
    const waiting = id === undefined ? undefined : this.#waiting.get(id);
    if (!waiting || id === undefined) return;
    this.#waiting.delete(id);
    if (error) waiting.reject(new Error(error.message));
    else waiting.resolve(result ?? {});
  }
}
