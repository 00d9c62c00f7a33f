import { isDeepStrictEqual } from 'node:util';
import type { Clock } from '../lib/clock/clock.ts';
import { exchangeJson, type JsonAnswer } from '../transports/http/exchange-json.ts';
import { faultOf, type RequestFault, refusalOf } from './request-fault.ts';
import { idOf, isObject, type JsonObject } from './row.ts';
import { SyncError } from './sync-error.ts';

/** Time limit of each request, milliseconds. */
export const TIMEOUT_MS = 20_000;

/** Rows that are asked for at a time. */
export const PAGE_ROWS = 100;

/** Largest answer that is read: a page of the largest scenarios, with room for their other fields. */
export const MAX_ANSWER_BYTES = 256 * 1024 * 1024;

/** More rows than this are taken for a server whose pages never end. */
export const MAX_ROWS = 100_000;

/** After so many requests to store a scenario in a row without an answer, no further one is sent. */
export const MAX_UNANSWERED = 3;

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
    this.shownUrl = shownUrl(this.#url);
  }

  /** Every row, page by page; see {@link pagesOf}. @throws SyncError */
  pages(): AsyncGenerator<readonly unknown[]> {
    return pagesOf(this.#url, this.#options);
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

  /** Sends one PATCH with a new text, once. @returns why it was not stored. @throws SyncError `id_not_addressable` */
  patch(id: string, dsl: string): Promise<RequestFault | undefined> {
    return store(`${this.#url}/${segment(id)}`, 'PATCH', { dsl }, dsl, this.#options);
  }

  #get(tail: string): Promise<unknown> {
    return getJson(`${this.#url}${tail}`, this.#options);
  }
}

/**
 * Every row of a list, page by page, with `skip` and `limit` in the query. Ends at an empty page, since a server may send
 * fewer rows than asked for.
 * @throws SyncError `server_failed`, `unexpected_answer`, `endless_rows`
 */
export async function* pagesOf(url: string, options: RequestOptions): AsyncGenerator<readonly unknown[]> {
  const shown = shownUrl(url);
  const seen = new Set<string>();
  let first: readonly unknown[] | undefined;
  let count = 0;
  for (;;) {
    const page = new URL(url);
    page.searchParams.set('skip', String(count));
    page.searchParams.set('limit', String(PAGE_ROWS));
    const { rows, total } = rowsOf(await getJson(page.href, options), shown);
    const isRepeat = first !== undefined && rows.length > 0 && isDeepStrictEqual(rows, first);
    // A server that knows no paging sends the same rows again, as many as it has and not as many as were asked for.
    if (rows.length === 0 || (isRepeat && count === rows.length && count !== PAGE_ROWS)) {
      if (total !== undefined && total !== count)
        throw new SyncError(
          'unexpected_answer',
          `${shown} announced ${total} rows, but sent ${count}; try again`,
        );
      return;
    }
    const ids = rows.flatMap((row) => (isObject(row) ? (idOf(row) ?? []) : []));
    if (isRepeat || (ids.length > 0 && ids.every((id) => seen.has(id))))
      throw new SyncError(
        'endless_rows',
        `${shown} sends the same rows again at skip=${count}; check that the server supports skip and limit, and try again`,
      );
    first ??= rows;
    count += rows.length;
    for (const id of ids) seen.add(id);
    if (count > MAX_ROWS)
      throw new SyncError('endless_rows', `${shown} has sent ${count} rows and does not end`);
    yield rows;
  }
}

/**
 * Sends a scenario once. It counts as stored when the server says so, and where it answers with the row, when that has the
 * text that was sent.
 * @returns why it was not stored, or undefined
 */
export async function store(
  url: string,
  method: 'PATCH' | 'PUT' | 'POST',
  body: JsonObject,
  text: string,
  options: RequestOptions,
): Promise<RequestFault | undefined> {
  try {
    const { status, value } = await exchangeJson(url, {
      ...options,
      method,
      body,
      timeoutMs: TIMEOUT_MS,
      maxBytes: MAX_ANSWER_BYTES,
    });
    return refusalOf(status, value) ?? otherText(value, text);
  } catch (thrown) {
    if (options.signal?.aborted) return { reason: 'interrupted while it was sent', uncertain: true };
    const fault = faultOf(thrown);
    // 204 has no body.
    return fault.status === 204 ? undefined : fault;
  }
}

function otherText(value: unknown, sent: string): RequestFault | undefined {
  const row = isObject(value) && isObject(value.data) ? value.data : value;
  if (!isObject(row) || typeof row.dsl !== 'string' || row.dsl === sent) return undefined;
  return { reason: 'the server answered with another text than the one sent; export it and compare' };
}

/** @throws SyncError `server_failed` */
async function getJson(url: string, options: RequestOptions): Promise<unknown> {
  const failed = (reason: string, cause?: unknown) =>
    new SyncError('server_failed', `cannot read ${shownUrl(url)}: ${reason}`, { cause });
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
  if (Array.isArray(answer)) return { rows: answer, total: undefined };
  const rows = isObject(answer) ? (answer.rows ?? answer.data) : undefined;
  if (isObject(answer) && Array.isArray(rows))
    return { rows, total: typeof answer.total === 'number' ? answer.total : undefined };
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

/** Without user name and password, which must not reach reports. */
export function shownUrl(address: string): string {
  const shown = new URL(address);
  shown.username = '';
  shown.password = '';
  return shown.href;
}
