import type { Clock } from '../../lib/clock/clock.ts';
import { bytesOf, hexOf } from '../../transports/hex.ts';
import { REPORT_BYTES } from '../../transports/hid/hid-transport.ts';
import { HidPipe } from '../../transports/memory/hid-pipe.ts';

/**
 * A HID interface with a script: what must be sent next, and what is answered to it 2 ms later (nothing for ''). Both
 * are filled up with zeros to a whole report. What was sent against the script and what was left over is in
 * `deviations`.
 */
export class ScriptedHid extends HidPipe {
  readonly #script: [sent: string, received: string][];
  readonly #unexpected: string[] = [];

  constructor(clock: Clock, script: [sent: string, received: string][]) {
    super({ address: 'script' });
    this.#script = [...script];
    this.onWritten((report) => {
      const next = this.#script.shift();
      if (!next || hexOf(report) !== hexOf(whole(next[0]))) {
        this.#unexpected.push(`sent ${hexOf(report)} where the script has ${next?.[0] ?? 'no more'}`);
        return;
      }
      const answer = next[1];
      if (answer !== '') clock.after(2, () => this.send(whole(answer)));
    });
  }

  get deviations(): string[] {
    return [...this.#unexpected, ...this.#script.map(([sent]) => `never sent: ${sent}`)];
  }
}

function whole(hex: string): Uint8Array {
  const report = new Uint8Array(REPORT_BYTES);
  report.set(bytesOf(hex));
  return report;
}
