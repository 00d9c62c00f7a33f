import { useEffect, useRef, useState } from 'preact/hooks';
import { systemClock } from '../../lib/clock/clock.ts';
import { Question } from '../api/question.ts';
import { request } from '../api/request.ts';

export interface Resource<T> {
  /** The last answer; kept while another one is being asked for. */
  data: T | undefined;
  fault: unknown;
  isLoading: boolean;
  /** Something has changed. */
  reload: () => void;
  /** Some time has passed: asks unless an answer is under way. */
  refresh: () => void;
}

/** The server takes up to 60 s for what it reads from records; whether it answers at all the stream tells much sooner. */
const TIMEOUT_MS = 65_000;
/** For values that are read again and again: a connection that was lost on the way must not keep old ones on the screen, ms. */
export const LIVE_TIMEOUT_MS = 10_000;

export interface AskedHow {
  timeoutMs?: number;
  /** What else the answer depends on: it is asked for again when this changes. */
  dependsOn?: string;
}

/** What the server answers at an address, again whenever the address changes. @param path null asks for nothing */
export function useResource<T>(
  path: string | null,
  { timeoutMs = TIMEOUT_MS, dependsOn = '' }: AskedHow = {},
): Resource<T> {
  const [state, setState] = useState<{ data: T | undefined; fault: unknown; isLoading: boolean }>({
    data: undefined,
    fault: undefined,
    isLoading: path !== null,
  });
  const question = useRef<Question<T> | null>(null);
  useEffect(() => {
    if (path === null) return;
    const asked = new Question<T>({
      clock: systemClock,
      ask: (signal) => request<T>(path, { signal, timeoutMs }),
      onAsked: () => setState((before) => ({ ...before, isLoading: true })),
      onAnswer: (data) => setState({ data, fault: undefined, isLoading: false }),
      onFault: (fault) => setState((before) => ({ ...before, fault, isLoading: false })),
    });
    question.current = asked;
    asked.putAnew();
    return () => {
      question.current = null;
      asked.stop();
    };
  }, [path, dependsOn]);
  return {
    ...state,
    reload: () => question.current?.putAnew(),
    refresh: () => question.current?.putAgain(),
  };
}
