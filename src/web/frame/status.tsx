import { Button } from '../components/button.tsx';
import { Icon } from '../components/icon.tsx';
import { Message } from '../components/message.tsx';
import { isOutdated } from '../live/is-outdated.ts';
import { alive, connection, isStale } from '../live/state.ts';
import { formatTime, messages } from '../messages/index.ts';
import { guardState } from '../stop/stop-ways.ts';

/** With which devices the rig works, as the bridge says. */
export type RigMode = 'real' | 'bench' | 'mock' | 'unknown';

export function rigMode(): RigMode {
  const bridge = alive.value?.bridge;
  if (!bridge?.reachable) return 'unknown';
  if (bridge.mode === 'mock') return 'mock';
  return bridge.bench ? 'bench' : 'real';
}

/** REAL, BENCH or MOCK: by word and pattern. */
export function ModeBanner() {
  // The bridge of a rig that is not connected may be another one by now.
  const mode = isStale.value ? 'unknown' : rigMode();
  const text = messages.value.mode;
  return (
    <div class={`mode mode-${mode}`} data-mode={mode}>
      <strong>{text[mode]}</strong>
      <span>{text[`${mode}Text`]}</span>
    </div>
  );
}

export function ConnectionMark() {
  const state = connection.value;
  const text = messages.value.connection;
  const isOk = state.kind === 'ok';
  const words = state.kind === 'lost' ? text.lost(formatTime(state.since)) : text[state.kind];
  return (
    <p class={`connection ${state.kind === 'lost' ? 'is-lost' : ''}`} data-connection={state.kind}>
      <Icon name={isOk ? 'link' : state.kind === 'lost' ? 'warning' : 'clock'} />
      {words}
    </p>
  );
}

export function LeaseMark() {
  const bridge = isStale.value ? undefined : alive.value?.bridge;
  const text = messages.value.lease;
  const owner = bridge?.reachable ? (bridge.lease.held ? bridge.lease.owner : text.free) : text.unknown;
  return (
    <p class="lease">
      <Icon name="lock" />
      {text.label}: <span class="value">{owner}</span>
    </p>
  );
}

/** Name of the script that runs here. */
const OWN_SCRIPT = document.querySelector<HTMLScriptElement>('script[type=module]')?.src.split('/').at(-1);

/** What is gone, and what is not as it should be; one line each. */
export function Alerts() {
  const state = connection.value;
  const text = messages.value.connection;
  const { bridge, record_fault: recordFault, run, run_fault: eventsFault } = alive.value ?? {};
  const runFault = run && 'fault' in run ? run.fault : eventsFault;
  if (state.kind === 'lost')
    return (
      <Message kind="alarm">
        <strong>{text.lost(formatTime(state.since))}</strong>
        <p>
          {state.reason === null ? '' : text[state.reason]} {guardState.value === 'ok' ? text.stopStill : ''}
        </p>
      </Message>
    );
  if (!bridge) return null;
  return (
    <>
      {bridge.reachable ? null : (
        <Message kind="alarm">
          <strong>{text.bridge}</strong>
          <p lang="en">{bridge.error}</p>
        </Message>
      )}
      {bridge.reachable && bridge.not_safe !== null ? (
        <Message kind="alarm">{text.notSafe(bridge.not_safe)}</Message>
      ) : null}
      {bridge.reachable && bridge.mode === 'real' && bridge.guard?.watching !== true ? (
        <Message kind="warning">{text.guard}</Message>
      ) : null}
      {run && runFault ? <Message kind="alarm">{text.run(run.run_id, runFault)}</Message> : null}
      {recordFault ? <Message kind="alarm">{text.records(recordFault)}</Message> : null}
      {isOutdated(alive.value?.page, OWN_SCRIPT) ? (
        <Message
          kind="warning"
          actions={<Button onClick={() => location.reload()}>{messages.value.connection.reload}</Button>}
        >
          {text.outdated}
        </Message>
      ) : null}
    </>
  );
}
