import { isDeepStrictEqual } from 'node:util';
import type { Clock } from '../lib/clock/clock.ts';
import { exchangeJson, type JsonAnswer } from '../transports/http/exchange-json.ts';
import { faultOf, refusalOf } from './request-fault.ts';
import { idOf, isObject } from './row.ts';
import { SyncError } from './sync-error.ts';

/** Time limit of each request, milliseconds. */
export const TIMEOUT_MS = 20_000;

/** Rows that are asked for at a time. */
export const PAGE_ROWS = 100;

/** Largest answer that is read: a page of the largest scenarios, with room for their other fields. */
export const MAX_ANSWER_BYTES = 256 * 1024 * 1024;

/** More rows than this are taken for a server whose pages never end. */
export const MAX_ROWS = 100_000;

const PATH = '/api/v3/data/test_scenarios';

export interface RequestOptions {
  readonly clock: Clock;
  /** Ends the request under way. */
  readonly signal?: AbortSignal;
}

/** The scenarios of a server: `<base>/api/v3/data/test_scenarios`. */
export class Collection {
  /** Without user name and password. */
  readonly shownUrl: string;
  readonly #url: string;
  readonly #options: RequestOptions;

  /** @param base http or https address of the scenario API */
  constructor(base: string, options: RequestOptions) {
    this.#url = `${base.replace(/\/+$/, '')}${PATH}`;
    this.#options = options;
    const shown = new URL(this.#url);
    shown.username = '';
    shown.password = '';
    this.shownUrl = shown.href;
  }

  /** True once its requests are cut off. */
  get isAborted(): boolean {
    return this.#options.signal?.aborted === true;
  }

  /**
   * Every row, page by page. Ends at an empty page, since a server may send fewer rows than asked for.
   * @throws SyncError `server_failed`, `unexpected_answer`, `endless_rows`
   */
  async *pages(): AsyncGenerator<readonly unknown[]> {
    const seen = new Set<string>();
    let first: readonly unknown[] | undefined;
    let count = 0;
    for (;;) {
      const answer = await this.#get(`?skip=${count}&limit=${PAGE_ROWS}`);
      const { rows, total } = rowsOf(answer, this.shownUrl);
      const isRepeat = first !== undefined && rows.length > 0 && isDeepStrictEqual(rows, first);
      // A server that knows no paging sends the same rows again: complete when they are fewer than were asked for.
      if (rows.length === 0 || (isRepeat && count === rows.length && count < PAGE_ROWS)) {
        if (total !== undefined && total !== count)
          throw new SyncError(
            'unexpected_answer',
            `${this.shownUrl} says it has ${total} rows, but sent ${count}; export again`,
          );
        return;
      }
      const ids = rows.flatMap((row) => (isObject(row) ? (idOf(row) ?? []) : []));
      if (isRepeat || (ids.length > 0 && ids.every((id) => seen.has(id))))
        throw new SyncError(
          'endless_rows',
          `${this.shownUrl} sends the same rows again at skip=${count}; check that the server supports skip and limit, and try again`,
        );
      first ??= rows;
      count += rows.length;
      for (const id of ids) seen.add(id);
      if (count > MAX_ROWS)
        throw new SyncError('endless_rows', `${this.shownUrl} has sent ${count} rows and does not end`);
      yield rows;
    }
  }

  /** One row, bare or in `data`. @throws SyncError `server_failed`, `unexpected_answer`, `id_not_addressable` */
  async row(id: string): Promise<unknown> {
    const answer = await this.#get(`/${segment(id)}`);
    const row = isObject(answer) && isObject(answer.data) ? answer.data : answer;
    if (!isObject(row))
      throw new SyncError('unexpected_answer', `${this.shownUrl}/${segment(id)} is not a JSON object`);
    const own = idOf(row);
    if (own !== undefined && own !== id)
      throw new SyncError(
        'unexpected_answer',
        `the server sent scenario ${JSON.stringify(own)} instead of ${JSON.stringify(id)}`,
      );
    return { ...row, id };
  }

  /** Sends one PATCH with a new text, once. @throws as `exchangeJson`, SyncError `id_not_addressable` */
  patch(id: string, dsl: string): Promise<JsonAnswer> {
    return exchangeJson(`${this.#url}/${segment(id)}`, {
      ...this.#options,
      method: 'PATCH',
      body: { dsl },
      timeoutMs: TIMEOUT_MS,
      maxBytes: MAX_ANSWER_BYTES,
    });
  }

  #get(tail: string): Promise<unknown> {
    return getJson(`${this.#url}${tail}`, `${this.shownUrl}${tail}`, this.#options);
  }
}

/** GET of a JSON value. @param shown the address in messages; @throws SyncError `server_failed` */
export async function getJson(url: string, shown: string, options: RequestOptions): Promise<unknown> {
  const failed = (reason: string, cause?: unknown) =>
    new SyncError('server_failed', `cannot read ${shown}: ${reason}`, { cause });
  let answer: JsonAnswer;
  try {
    answer = await exchangeJson(url, { ...options, timeoutMs: TIMEOUT_MS, maxBytes: MAX_ANSWER_BYTES });
  } catch (thrown) {
    throw failed(faultOf(thrown).reason, thrown);
  }
  const refusal = refusalOf(answer.status, answer.value);
  if (refusal) throw failed(refusal.reason);
  return answer.value;
}

function rowsOf(answer: unknown, url: string): { rows: readonly unknown[]; total: number | undefined } {
  if (isObject(answer) && Array.isArray(answer.rows))
    return { rows: answer.rows, total: typeof answer.total === 'number' ? answer.total : undefined };
  throw new SyncError(
    'unexpected_answer',
    `${url} has no list of rows; check that the address is that of the scenario API`,
  );
}

/** An id as the last part of a path. `.` and `..` would address the collection itself, however they are escaped. */
export function segment(id: string): string {
  if (id.trim() !== '' && id !== '.' && id !== '..') return encodeURIComponent(id);
  throw new SyncError(
    'id_not_addressable',
    `the id ${JSON.stringify(id)} cannot stand in an address; rename the scenario`,
  );
}
