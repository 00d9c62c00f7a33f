import { decodeParams, readQuery } from './read-query.ts';
import type { Route } from './route.ts';
import { validate } from './validate.ts';

/** What a handler is given of its request, checked by the route's own schemas. */
export interface Inputs {
  params: unknown;
  query: unknown;
  body: unknown;
}

/** @throws HttpError `invalid_parameter` (422) */
export function inputsOf(
  route: Route,
  target: string,
  rawParams: Record<string, string>,
  body: unknown,
): Inputs {
  const query = route.ignoresForm ? {} : readQuery(target);
  return validate(route, { params: decodeParams(rawParams), query, body });
}

/** Targets remembered at most, and the longest of them; what clients make up must not fill the memory. */
const REMEMBERED = 256;
const LONGEST = 256;

/**
 * Checked inputs of requests without a body. Services are asked for the same few targets again and again, and the check
 * of one gives the same each time: the schemas of a GET are functions of their text and of nothing else.
 */
export class InputMemory {
  readonly #known = new Map<string, Inputs>();

  /** The same for everybody who sends this target, therefore frozen. @throws HttpError `invalid_parameter` (422) */
  of(route: Route, target: string, rawParams: Record<string, string>): Inputs {
    if (route.method !== 'GET' || target.length > LONGEST) return inputsOf(route, target, rawParams, {});
    const known = this.#known.get(target);
    if (known) return known;
    const made = frozen(inputsOf(route, target, rawParams, {}));
    if (this.#known.size >= REMEMBERED) this.#known.clear();
    this.#known.set(target, made);
    return made;
  }
}

/** In all its depth. */
function frozen<T>(value: T): T {
  if (typeof value === 'object' && value !== null) for (const part of Object.values(value)) frozen(part);
  return Object.freeze(value);
}
