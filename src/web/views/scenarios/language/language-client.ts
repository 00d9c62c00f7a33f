import type { Answer, Method, Question, Questions, RigLanguage } from './protocol.ts';

/** The policy that the page's Content-Security-Policy allows: it accepts the one address of the worker. */
const POLICY = 'svc-worker';

interface Waiting {
  resolve(answer: Questions[Method]['answer']): void;
  reject(fault: Error): void;
}

/** Asks the language worker. One for as long as an editor is open. */
export class LanguageClient {
  readonly #worker: Worker;
  readonly #waiting = new Map<number, Waiting>();
  #next = 1;

  constructor(rig: RigLanguage) {
    this.#worker = new Worker(workerAddress(), { type: 'module', name: 'scenario language' });
    this.#worker.addEventListener('message', ({ data }: MessageEvent<Answer>) => {
      const waiting = this.#waiting.get(data.id);
      this.#waiting.delete(data.id);
      if ('fault' in data) waiting?.reject(new Error(data.fault));
      else waiting?.resolve(data.answer);
    });
    this.#worker.addEventListener('error', ({ message }) =>
      this.#failAll(message || 'the check cannot be loaded'),
    );
    void this.ask('rig', rig).catch(() => {});
  }

  ask<M extends Method>(method: M, params: Questions[M]['params']): Promise<Questions[M]['answer']> {
    const id = this.#next++;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve: resolve as Waiting['resolve'], reject });
      this.#worker.postMessage({ id, method, params } satisfies Question<M>);
    });
  }

  close(): void {
    this.#worker.terminate();
    this.#failAll('the editor was closed');
  }

  #failAll(message: string): void {
    for (const { reject } of this.#waiting.values()) reject(new Error(message));
    this.#waiting.clear();
  }
}

interface TrustedTypes {
  createPolicy(
    name: string,
    rules: { createScriptURL(url: string): string },
  ): { createScriptURL(url: string): URL };
}

let address: string | URL | undefined;

/** The build writes the address of the worker into the document. @throws Error when it is missing */
function workerAddress(): string | URL {
  if (address !== undefined) return address;
  const written = document.querySelector<HTMLMetaElement>('meta[name="language-worker"]')?.content;
  if (!written) throw new Error('the document does not name the language worker');
  const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes };
  address = trustedTypes
    ? trustedTypes.createPolicy(POLICY, { createScriptURL: () => written }).createScriptURL('')
    : written;
  return address;
}
