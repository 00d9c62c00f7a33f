import type { Reply } from '../../../lib/http/reply.ts';
import type { Outcome } from '../device/outcome.ts';

/** Answers of samples that are served again: the text of an item is made once. */
export class ItemTexts {
  readonly #texts = new WeakMap<Outcome<unknown>, { mark: unknown; text: string }>();

  /** @param mark what the item depends on besides its outcome */
  reply(outcome: Outcome<unknown>, mark: unknown, item: () => object): Reply {
    let known = this.#texts.get(outcome);
    if (!known || known.mark !== mark) {
      known = { mark, text: JSON.stringify(item()) };
      this.#texts.set(outcome, known);
    }
    return { status: 200, text: known.text };
  }
}
