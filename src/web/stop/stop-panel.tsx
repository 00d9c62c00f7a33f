import { useState } from 'preact/hooks';
import { request } from '../api/request.ts';
import { Button } from '../components/button.tsx';
import { Icon } from '../components/icon.tsx';
import { RequestMessage } from '../components/request-message.tsx';
import { alive, isStale } from '../live/state.ts';
import { formatDateTime, formatTime, messages } from '../messages/index.ts';
import { attempt, panelSummary, type StopAttempt, type StopSummary } from './stop-state.ts';

const KINDS: Readonly<Record<StopSummary, string>> = {
  stopping: 'active',
  safe: 'stopped',
  not_safe: 'alarm',
  not_confirmed: 'alarm',
};

/** Below the head of the page while a stop is under way or in force. It covers nothing. */
export function StopPanel({ operator }: { operator: string }) {
  const bridge = alive.value?.bridge;
  const stop = bridge?.reachable ? bridge.operator_stop : null;
  const now = attempt.value;
  const text = messages.value.stop;
  if (!now && !stop) return null;
  // What arrived before the proof says nothing against it.
  const summary = panelSummary(now, now && isStale.value ? undefined : bridge);
  const isCurrent = !isStale.value && bridge?.reachable === true;
  const safeAt = now?.safeAt ?? null;
  const words = {
    stopping: text.stopping,
    // Without a stop of this page nobody has reported its steps here.
    safe: safeAt === null ? null : isCurrent ? text.safe : text.wasSafe(formatTime(safeAt)),
    not_safe: text.notSafe,
    not_confirmed: text.notConfirmed,
  };
  return (
    <section class={`stop-panel stop-panel-${KINDS[summary]}`} aria-label={text.title}>
      <div class="stop-panel-head" role="alert">
        <Icon name={summary === 'safe' ? 'lock' : 'warning'} />
        <div>
          {words[summary] === null ? null : <strong>{words[summary]}</strong>}
          {stop ? <p>{text.inForce(stop.by, formatDateTime(stop.at))}</p> : null}
        </div>
        <Release stop={stop} operator={operator} isOver={summary !== 'stopping'} />
      </div>
      {now ? <Progress attempt={now} /> : null}
    </section>
  );
}

function Progress({ attempt: { ways, steps } }: { attempt: StopAttempt }) {
  const text = messages.value.stop;
  return (
    <div class="stop-progress">
      <ul>
        {steps.map(({ name, ok, detail }) => (
          <li key={name} class={ok ? 'is-ok' : 'is-failed'}>
            <Icon name={ok ? 'check' : 'cross'} />
            <span>
              {text.steps[name] ?? name}: {ok ? text.stepOk : text.stepFailed}
              {ok || !detail ? null : <span lang="en">{` (${detail})`}</span>}
            </span>
          </li>
        ))}
      </ul>
      <ul class="stop-ways">
        {(['server', 'guard'] as const).map((name) => {
          const way = ways[name];
          return (
            <li key={name}>
              {text.ways[name]}: {text.way[way.kind]}
              {'detail' in way && way.detail !== '' ? <span lang="en">{` (${way.detail})`}</span> : null}
            </li>
          );
        })}
      </ul>
    </div>
  );
}

interface ReleaseProps {
  stop: { id: string } | null;
  operator: string;
  /** The safe state of this stop is not under way any more. */
  isOver: boolean;
}

function Release({ stop, operator, isOver }: ReleaseProps) {
  const text = messages.value.stop;
  const [isBusy, setBusy] = useState(false);
  const [fault, setFault] = useState<unknown>();
  if (!isOver) return null;
  if (!stop) {
    const dismiss = () => {
      attempt.value = null;
    };
    return <Button onClick={dismiss}>{text.dismiss}</Button>;
  }
  const release = async () => {
    setBusy(true);
    setFault(undefined);
    try {
      const asked = new URLSearchParams({ by: operator, id: stop.id });
      await request(`/api/operator-stop/clear?${asked}`, { method: 'POST' });
      attempt.value = null;
    } catch (thrown) {
      setFault(thrown);
    } finally {
      setBusy(false);
    }
  };
  return (
    <div class="stop-release">
      <Button size="glove" onClick={() => void release()} disabled={isBusy}>
        {isBusy ? text.releasing : text.release}
      </Button>
      {fault === undefined ? null : <RequestMessage fault={fault} />}
    </div>
  );
}
