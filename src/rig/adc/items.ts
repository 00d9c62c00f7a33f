import { CodedError } from '../../lib/errors/coded-error.ts';
import { HttpError } from '../../lib/http/http-error.ts';
import type { Reply } from '../../lib/http/reply.ts';
import { deviceProblem, isAnswerable } from './problem.ts';
import type { Outcome } from './reading.ts';

/** One channel of an answer: who it is, whatever became of it. */
export interface Item extends Record<string, unknown> {
  ok: boolean;
}

/** What a failed item says instead of a reading. @throws what is not a failure that can be reported */
export function failure(error: CodedError): { code: string; error: string } {
  if (!isAnswerable(error)) throw error;
  return { code: error.code, error: error.message };
}

/** An item, and what it was made of. */
export interface Told<T extends Item> {
  item: T;
  outcome: Outcome<unknown>;
}

/** All items when one of them is good (SVC-015). @throws HttpError 503 with the items in `channels` when none is */
export function batchAnswer<T extends Item>(told: readonly Told<T>[]): T[] {
  const items = told.map(({ item }) => item);
  if (items.some(({ ok }) => ok)) return items;
  const errors = told.flatMap(({ outcome }) => (outcome.ok ? [] : [outcome.error]));
  const [first] = errors;
  const isOneKind = errors.every(({ code }) => code === first?.code);
  const messages = [...new Set(errors.map(({ message }) => message))].join('; ');
  const common = new CodedError(
    isOneKind && first ? first.code : 'device_unavailable',
    `no channel gave a reading: ${messages}`,
  );
  throw deviceProblem(common, { channels: items });
}

/** The item when it is good. @throws HttpError 503 that keeps its identity and has no reading (SVC-014) */
export function singleAnswer<T extends Item>({ item, outcome }: Told<T>): T {
  if (outcome.ok) return item;
  const { ok: _ok, code: _code, error: _error, ...identity } = item;
  throw deviceProblem(outcome.error, identity);
}

/** `/api/v1/adc/` leaves the channel out; the router takes it for the list. @throws HttpError `invalid_channel` */
export function refuseEmptyChannel(url: string | undefined, known: readonly number[]): void {
  if (url?.split('?')[0]?.endsWith('/')) channelOf('', known);
}

/**
 * A channel number out of a path: whole digits and nothing else.
 *
 * @throws HttpError `invalid_channel`
 */
export function channelOf<N extends number>(text: string, known: readonly N[]): N {
  const channel = known.find((one) => String(one) === text);
  if (channel !== undefined) return channel;
  const last = known.at(-1);
  const list = `${known.slice(0, -1).join(', ')} or ${last}`;
  const fault = { in: 'path', field: 'n', message: `must be ${known[0]}..${last}`, value: text } as const;
  throw new HttpError('invalid_channel', `channel must be ${list}`, { errors: [fault] });
}

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
