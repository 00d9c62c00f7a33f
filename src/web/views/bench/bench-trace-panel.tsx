import { useEffect, useState } from 'preact/hooks';
import type { BenchTrace } from '../../../services/server/routes/bench.ts';
import { request } from '../../api/request.ts';
import { Button } from '../../components/button.tsx';
import { Choice } from '../../components/field.tsx';
import { Panel } from '../../components/panel.tsx';
import { RequestMessage } from '../../components/request-message.tsx';
import { formatTime, messages } from '../../messages/index.ts';
import { traceWords } from './trace-words.ts';

type Entry = BenchTrace['trace'][number];

/** So many of the newest ones are kept; the file of the bench has all. */
const KEPT = 300;
const WAIT_MS = 2000;
const RETRY_MS = 1000;
/** A bus that is polled writes hundreds of lines a second: at most so many pages a second are asked for. */
const PAUSE_MS = 250;

/** What the twins received, sent and did, as it happens. */
export function BenchTracePanel({ devices }: { devices: readonly string[] }) {
  const text = messages.value.bench;
  const [entries, setEntries] = useState<readonly Entry[]>([]);
  const [lost, setLost] = useState(0);
  const [fault, setFault] = useState<unknown>();
  const [isPaused, setPaused] = useState(false);
  const [device, setDevice] = useState('');
  useEffect(() => {
    if (isPaused) return;
    const stop = new AbortController();
    const { signal } = stop;
    const take = ({ trace, lost: unseen }: BenchTrace) => {
      setFault(undefined);
      setLost((before) => before + unseen);
      // The newest ones come again after a pause or a fault.
      setEntries((before) => {
        const first = trace[0]?.n ?? Number.POSITIVE_INFINITY;
        return [...before.filter(({ n }) => n < first), ...trace].slice(-KEPT);
      });
    };
    void follow(signal, take, setFault);
    return () => stop.abort();
  }, [isPaused]);
  const shown = entries.filter((entry) => device === '' || entry.device === device).reverse();
  return (
    <Panel
      title={text.trace}
      aside={
        <Button pressed={isPaused} onClick={() => setPaused(!isPaused)}>
          {messages.value.rig.pause}
        </Button>
      }
    >
      <div class="row">
        <Choice
          label={text.device}
          value={device}
          onChange={setDevice}
          options={[['', text.all] as const, ...devices.map((one) => [one, one] as const)]}
        />
      </div>
      {fault === undefined ? null : <RequestMessage fault={fault} />}
      {lost === 0 ? null : <p class="muted small">{text.lost(lost)}</p>}
      {shown.length === 0 ? (
        <p class="muted">{text.noTrace}</p>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, by keyboard too
        <ul class="log trace" tabIndex={0} aria-label={text.trace}>
          {shown.map((entry) => (
            <li key={entry.n}>
              <span class="number muted">{formatTime(Date.parse(entry.at))}</span>
              <span class="mono">{entry.device}</span>
              <span class="mono" lang="en">
                {traceWords(entry)}
              </span>
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}

/** The newest entries and then what follows them, until the signal. A bench that was started again counts from 1. */
async function follow(
  signal: AbortSignal,
  onPage: (page: BenchTrace) => void,
  onFault: (fault: unknown) => void,
): Promise<void> {
  let since: number | undefined;
  while (!signal.aborted) {
    const asked = since === undefined ? `last=${KEPT}` : `since=${since}&limit=1000&wait_ms=${WAIT_MS}`;
    try {
      const page: BenchTrace = await request<BenchTrace>(`/api/bench/trace?${asked}`, { signal });
      onPage(page);
      since = since !== undefined && page.next < since ? undefined : page.next;
      await pause(PAUSE_MS, signal);
    } catch (fault) {
      if (signal.aborted) return;
      onFault(fault);
      since = undefined;
      await pause(RETRY_MS, signal);
    }
  }
}

const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener(
      'abort',
      () => {
        clearTimeout(timer);
        resolve();
      },
      { once: true },
    );
  });
