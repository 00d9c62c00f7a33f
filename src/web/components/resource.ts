import { useEffect, useState } from 'preact/hooks';
import { request } from '../api/request.ts';

export interface Resource<T> {
  /** The last answer; kept while another one is being asked for. */
  data: T | undefined;
  fault: unknown;
  isLoading: boolean;
  reload: () => void;
}

/** What the server answers at an address, again whenever the address changes. @param path null asks for nothing */
export function useResource<T>(path: string | null): Resource<T> {
  const [state, setState] = useState<{ data: T | undefined; fault: unknown; isLoading: boolean }>({
    data: undefined,
    fault: undefined,
    isLoading: path !== null,
  });
  const [round, setRound] = useState(0);
  useEffect(() => {
    if (path === null) return;
    const stop = new AbortController();
    setState((before) => ({ ...before, isLoading: true }));
    request<T>(path, { signal: stop.signal }).then(
      (data) => setState({ data, fault: undefined, isLoading: false }),
      (fault: unknown) => {
        if (!stop.signal.aborted) setState((before) => ({ ...before, fault, isLoading: false }));
      },
    );
    return () => stop.abort();
  }, [path, round]);
  return { ...state, reload: () => setRound((n) => n + 1) };
}
