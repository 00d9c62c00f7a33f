import { signal } from '@preact/signals';

/** Where the page is, as the address says it: `#/history/r-1?status=failed`. */
export interface Place {
  /** First part: the view. */
  view: string;
  /** Second part, for example the id of a run; empty for none. */
  item: string;
  query: URLSearchParams;
}

const START = 'run';

export function placeOf(hash: string): Place {
  const [path = '', query = ''] = hash.replace(/^#\/?/, '').split('?');
  const [view = '', ...rest] = path.split('/');
  return { view: view || START, item: decoded(rest.join('/')), query: new URLSearchParams(query) };
}

export const addressOf = (view: string, item = '', query?: URLSearchParams): string => {
  const asked = query?.toString() ?? '';
  return `#/${view}${item === '' ? '' : `/${encodeURIComponent(item)}`}${asked === '' ? '' : `?${asked}`}`;
};

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

export const place = signal<Place>(placeOf(location.hash));
addEventListener('hashchange', () => {
  place.value = placeOf(location.hash);
});

/** @param replace leaves no entry in the history of the browser: for filters while they are being typed */
export function go(address: string, replace = false): void {
  if (replace) {
    history.replaceState(null, '', address);
    place.value = placeOf(address);
  } else location.hash = address;
}
