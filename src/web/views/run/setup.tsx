import { useEffect, useState } from 'preact/hooks';
import type { ScenarioPlan } from '../../../services/server/scenarios/scenario-plan.ts';
import { Button } from '../../components/button.tsx';
import { Field } from '../../components/field.tsx';
import { Message } from '../../components/message.tsx';
import { Panel } from '../../components/panel.tsx';
import { RequestMessage } from '../../components/request-message.tsx';
import { useResource } from '../../components/resource.ts';
import { Said } from '../../components/said.tsx';
import { useSettled } from '../../components/use-settled.ts';
import { rigMode } from '../../frame/status.tsx';
import { alive, isStale } from '../../live/state.ts';
import { messages } from '../../messages/index.ts';
import { startRun } from '../../run/start-run.ts';
import { changedParameters, enter, OWN_PARAMETERS, station, stationFault } from '../../run/station.ts';
import { ChangedParameters } from './changed-parameters.tsx';
import { PlanPanel } from './plan-panel.tsx';
import { ScenarioChoice } from './scenario-choice.tsx';

/** How often the rig is asked anew whether it would run the scenario, ms. */
const LOOK_MS = 5000;
/** Time after the last keystroke in a parameter until its plan is asked for, ms. */
const TYPED_MS = 300;

interface SetupProps {
  isStarting: boolean;
  onStarted: (runId: string) => void;
}

/** Unit, scenario, and what will happen; nothing moves before Start. */
export function Setup({ isStarting, onStarted }: SetupProps) {
  const text = messages.value.run;
  const entries = station.value;
  const id = entries?.scenario_id ?? '';
  const isMock = rigMode() === 'mock';
  const bridge = alive.value?.bridge;
  // What may change whether the rig would run it.
  const state = bridge?.reachable ? `${bridge.operator_stop?.id} ${bridge.lease.held}` : 'gone';
  const parameters = JSON.stringify(changedParameters());
  const query = new URLSearchParams({ variables: useSettled(parameters, TYPED_MS), simulated: `${isMock}` });
  const plan = useResource<ScenarioPlan>(
    id === '' ? null : `/api/scenarios/${encodeURIComponent(id)}/plan?${query}`,
    { dependsOn: state },
  );
  useEffect(() => {
    const timer = setInterval(plan.refresh, LOOK_MS);
    return () => clearInterval(timer);
  }, [id]);
  const current = plan.data?.scenario_id === id ? plan.data : undefined;
  const isOfEntries = current !== undefined && JSON.stringify(current.variables) === parameters;
  if (!entries) return <p class="muted">{messages.value.loading}</p>;
  return (
    <div class="run-setup">
      <Panel title={text.unit}>
        <Unit />
        {stationFault.value === undefined ? null : <RequestMessage fault={stationFault.value} />}
      </Panel>
      <Panel title={text.scenario} class="run-scenario">
        <ScenarioChoice chosen={id} onChoose={(scenario_id) => enter({ scenario_id, ...OWN_PARAMETERS })} />
      </Panel>
      <Panel title={current?.name ?? text.plan} class="run-plan">
        {id === '' ? <p class="muted">{text.choose}</p> : null}
        {id !== '' && plan.fault !== undefined ? <RequestMessage fault={plan.fault} /> : null}
        {id !== '' && !current && plan.fault === undefined ? (
          <p class="muted">{messages.value.loading}</p>
        ) : null}
        {id === '' ? null : <ChangedParameters />}
        {current ? (
          <>
            <Start plan={current} isCurrent={isOfEntries} isStarting={isStarting} onStarted={onStarted} />
            <PlanPanel plan={current} isCurrent={isOfEntries} />
          </>
        ) : null}
      </Panel>
    </div>
  );
}

function Unit() {
  const text = messages.value.run;
  const entries = station.value;
  if (!entries) return null;
  return (
    <div class="stack">
      <div class="serial">
        <Field
          label={text.serial}
          value={entries.serial}
          onInput={(serial) => enter({ serial })}
          hint={text.serialHint}
        />
      </div>
      <Field label={text.operator} value={entries.operator} onInput={(operator) => enter({ operator })} />
      <div class="field-pair">
        <Field label={text.part} value={entries.part} onInput={(part) => enter({ part })} />
        <Field label={text.revision} value={entries.revision} onInput={(revision) => enter({ revision })} />
      </div>
      <Field label={text.batch} value={entries.batch} onInput={(batch) => enter({ batch })} />
    </div>
  );
}

interface StartProps extends SetupProps {
  plan: ScenarioPlan;
  /** It is that of the parameters on the screen. */
  isCurrent: boolean;
}

function Start({ plan, isCurrent, isStarting, onStarted }: StartProps) {
  const text = messages.value.run;
  const [isBusy, setBusy] = useState(false);
  const [fault, setFault] = useState<unknown>();
  const bridge = alive.value?.bridge;
  const stop = bridge?.reachable ? bridge.operator_stop : null;
  const isChanged = Object.keys(plan.variables).length > 0;
  const obstacle = plan.faults[0] ?? plan.obstacle;
  const isKnown = isCurrent && !isStale.value && stationFault.value === undefined;
  const isPossible = obstacle === null && !stop && isKnown && bridge?.reachable === true;
  const start = async () => {
    setBusy(true);
    setFault(undefined);
    try {
      onStarted(await startRun(plan, rigMode() === 'mock'));
    } catch (thrown) {
      setFault(thrown);
    } finally {
      setBusy(false);
    }
  };
  return (
    <div class="stack">
      {stop ? <Message kind="warning">{messages.value.request.operator_stop}</Message> : null}
      {obstacle !== null && !stop ? (
        <Message kind="warning">
          <strong>
            {plan.faults.length === 0 ? text.obstacle : isChanged ? text.faultyChanged : text.faulty}
          </strong>
          <p>
            <Said text={obstacle} isOfProgram />
          </p>
        </Message>
      ) : null}
      {fault === undefined ? null : <RequestMessage fault={fault} />}
      <Button
        kind="primary"
        size="glove"
        disabled={!isPossible || isBusy || isStarting}
        onClick={() => void start()}
      >
        {isBusy || isStarting ? text.starting : text.start}
      </Button>
    </div>
  );
}
