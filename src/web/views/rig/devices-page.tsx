import { useEffect } from 'preact/hooks';
import type { RigAnswer } from '../../../services/server/routes/rig.ts';
import { Icon } from '../../components/icon.tsx';
import { Message } from '../../components/message.tsx';
import { Panel } from '../../components/panel.tsx';
import { RequestMessage } from '../../components/request-message.tsx';
import { LIVE_TIMEOUT_MS, useResource } from '../../components/resource.ts';
import { TableFrame } from '../../components/table-frame.tsx';
import { alive, isStale, settings } from '../../live/state.ts';
import { formatNumber, formatTime, messages } from '../../messages/index.ts';
import { ChannelPlots } from './channel-plots.tsx';
import { ManualControl } from './manual-control.tsx';

/** Time between two readings of all devices, ms. */
const READ_MS = 1000;

type Peripheral = NonNullable<RigAnswer['peripherals']>[number];

/** What each device says now, by which calibration, and one actuator by hand. */
export function DevicesPage() {
  const text = messages.value.rig;
  const { data, fault, reload, refresh } = useResource<RigAnswer>('/api/rig', { timeoutMs: LIVE_TIMEOUT_MS });
  // A bridge that hangs is answered for after 3.5 s.
  useEffect(() => {
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') refresh();
    }, READ_MS);
    return () => clearInterval(timer);
  }, []);
  const peripherals = data?.peripherals ?? [];
  const isBridgeGone = alive.value?.bridge.reachable === false;
  const isUnread = fault !== undefined || (data !== undefined && data.error !== null);
  return (
    <div class="run-progress">
      {fault === undefined ? null : <RequestMessage fault={fault} />}
      {data && data.config_fault !== null ? (
        <Message kind="alarm">
          <strong>{text.configFault}</strong>
          <p lang="en">{data.config_fault}</p>
        </Message>
      ) : null}
      {data && data.error !== null ? (
        <Message kind="alarm">
          <strong>{text.unknown}</strong>
          <p lang="en">{data.error}</p>
        </Message>
      ) : null}
      <div class="run-columns" data-stale={isStale.value || isUnread || isBridgeGone}>
        <div class="stack">
          <Panel title={text.devices}>
            {data?.components ? <Components components={data.components} /> : null}
            {data || fault !== undefined ? null : <p class="muted">{messages.value.loading}</p>}
          </Panel>
          <Panel title={text.services}>
            <Services />
          </Panel>
          <Panel title={messages.value.run.calibrations}>
            <Calibrations list={data?.calibrations ?? []} />
          </Panel>
        </div>
        <div class="stack">
          <ManualControl peripherals={peripherals} onCommand={reload} />
          <Panel title={text.values}>
            <Values peripherals={peripherals} />
          </Panel>
          <ChannelPlots peripherals={peripherals} />
        </div>
      </div>
    </div>
  );
}

function Components({ components }: { components: NonNullable<RigAnswer['components']> }) {
  const text = messages.value.rig;
  return (
    <ul class="devices live">
      {Object.entries(components).map(([id, one]) => {
        const isGood = one.status === 'ok' || one.status === 'mock';
        const isOff = one.status === 'disabled';
        return (
          <li key={id}>
            <div class="block-line">
              <strong class="mono">{id}</strong>
              <span class={`state state-${isGood || isOff ? 'quiet' : 'alarm'}`}>
                <Icon name={isGood ? 'check' : isOff ? 'dash' : 'warning'} />
                {text.states[one.status] ?? one.status}
              </span>
            </div>
            {isGood ? null : (
              <p lang="en" class="check-message">
                {one.message}
              </p>
            )}
            <p class="muted small">
              {[one.endpoint, one.version, isOff ? null : `${formatNumber(one.latency_ms, 0)} ms`]
                .filter(Boolean)
                .join(' · ')}
            </p>
            {isOff ? null : (
              <p class="muted small">
                {one.last_ok_at === null
                  ? text.neverOk
                  : text.lastAnswer(formatTime(Date.parse(one.last_ok_at)))}{' '}
                · {text.errorRate(one.failed, one.asked)}
              </p>
            )}
          </li>
        );
      })}
    </ul>
  );
}

function Services() {
  const text = messages.value.rig;
  const bridge = alive.value?.bridge;
  const rows: [name: string, isGood: boolean, words: string][] = [
    ['svc-server', !isStale.value, settings.value?.version ?? ''],
    ['svc-bridge', bridge?.reachable === true, bridge?.reachable ? bridge.mode : ''],
    ['svc-guard', bridge?.reachable === true && bridge.guard?.watching === true, ''],
  ];
  return (
    <ul class="devices live">
      {rows.map(([name, isGood, words]) => (
        <li key={name} class="block-line">
          <span>
            <strong class="mono">{name}</strong> <span class="muted">{words}</span>
          </span>
          <span class={`state state-${isGood ? 'quiet' : 'alarm'}`}>
            <Icon name={isGood ? 'check' : 'warning'} />
            {isGood ? text.states.ok : text.states.error}
          </span>
        </li>
      ))}
    </ul>
  );
}

function Calibrations({ list }: { list: RigAnswer['calibrations'] }) {
  const text = messages.value;
  if (list.length === 0) return <p class="muted">{text.rig.noCalibrations}</p>;
  return (
    <ul class="devices">
      {list.map(({ sensor, id, unit, due_at, fault }) => (
        <li key={sensor}>
          <div class="block-line">
            <span>
              <strong class="mono">{sensor}</strong> {id} ({unit})
            </span>
            <span class={`state state-${fault === null ? 'quiet' : 'warning'}`}>
              <Icon name={fault === null ? 'check' : 'warning'} />
              {due_at === null ? text.rig.noDue : text.run.due(due_at)}
            </span>
          </div>
          {fault === null ? null : (
            <p lang="en" class="check-message">
              {fault}
            </p>
          )}
        </li>
      ))}
    </ul>
  );
}

export function shownValue({ currentValue, unit }: Peripheral): string {
  const { on, off } = messages.value.rig;
  if (currentValue === null) return '–';
  if (typeof currentValue === 'boolean') return currentValue ? on : off;
  const value = typeof currentValue === 'number' ? formatNumber(currentValue, 4) : currentValue;
  return unit === null ? value : `${value} ${unit}`;
}

function Values({ peripherals }: { peripherals: readonly Peripheral[] }) {
  const text = messages.value.rig;
  return (
    <TableFrame class="live" label={text.values}>
      <table>
        <thead>
          <tr>
            <th scope="col">{text.name}</th>
            <th scope="col" class="number">
              {text.value}
            </th>
            <th scope="col">{text.read}</th>
          </tr>
        </thead>
        <tbody>
          {peripherals.map((one) => (
            <tr key={one.id}>
              <td>
                <span class="mono">{one.id}</span> {one.name === one.id ? '' : one.name}
              </td>
              <td class="number">{shownValue(one)}</td>
              <td>
                {one.observed_at === null ? (
                  <span lang="en">{one.error ?? '–'}</span>
                ) : (
                  formatTime(Date.parse(one.observed_at))
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </TableFrame>
  );
}
