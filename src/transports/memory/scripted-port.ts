import { bytesOf, hexOf } from '../hex.ts';
import { BytePipe } from './byte-pipe.ts';

/**
 * A port with a script: what must be sent next, and what is answered to it (nothing for ''). What was sent against
 * the script and what was left over is in `deviations`.
 */
export class ScriptedPort extends BytePipe {
  readonly #script: [sent: string, received: string][];
  readonly #unexpected: string[] = [];

  constructor(script: [sent: string, received: string][]) {
    super({ address: 'script', baud: 19200 });
    this.#script = [...script];
    this.onWritten((bytes) => {
      const next = this.#script.shift();
      if (!next || hexOf(bytes) !== next[0].trim()) {
        this.#unexpected.push(`sent ${hexOf(bytes)} where the script has ${next?.[0] ?? 'no more'}`);
        return;
      }
      if (next[1] !== '') this.send(bytesOf(next[1]));
    });
  }

  get deviations(): string[] {
    return [...this.#unexpected, ...this.#script.map(([sent]) => `never sent: ${sent}`)];
  }
}
