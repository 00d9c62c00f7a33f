import type { ScenarioPlan } from '../../../services/server/scenarios/scenario-plan.ts';
import { Fact, Field } from '../../components/field.tsx';
import { Icon } from '../../components/icon.tsx';
import { limitText } from '../../components/limit-bar.tsx';
import { formatDateTime, formatDuration, messages } from '../../messages/index.ts';
import { enter, station } from '../../run/station.ts';

interface PlanPanelProps {
  plan: ScenarioPlan;
  /** It is that of the parameters on the screen; else another one is on its way. */
  isCurrent: boolean;
}

/** What a scenario will do, what will be checked against which limits, and by which calibrations. */
export function PlanPanel({ plan, isCurrent }: PlanPanelProps) {
  const text = messages.value.run;
  return (
    <>
      {plan.description === null ? null : <p>{plan.description}</p>}
      <dl class="facts">
        <Fact name={text.expected}>
          {plan.expected_ms === null ? text.unknown : formatDuration(plan.expected_ms)}
        </Fact>
        <Fact name={text.device}>{plan.device_type ?? '–'}</Fact>
        <Fact name={text.checkCount}>{plan.checks.length}</Fact>
      </dl>
      <Parameters plan={plan} />
      {isCurrent ? null : (
        <p class="muted" role="status">
          {text.planOld}
        </p>
      )}
      <ol class={`plan-list ${isCurrent ? '' : 'is-old'}`}>
        {plan.blocks.map(({ name, kind }, at) => (
          <li key={`${at} ${name}`}>
            <span>
              {name}
              {kind === 'CONFIG' ? <span class="muted"> · {text.preparation}</span> : null}
            </span>
            <ul>
              {plan.checks
                .filter(({ block }) => block === at)
                .map((check) => (
                  <li key={JSON.stringify(check)} class="plan-check">
                    <span class="mono">{check.sensor ?? check.kind}</span>
                    <span class="number">{limitText(check.low, check.high, check.unit)}</span>
                  </li>
                ))}
            </ul>
          </li>
        ))}
      </ol>
      {plan.calibrations.length === 0 ? null : (
        <div>
          <h3>{text.calibrations}</h3>
          <ul>
            {plan.calibrations.map(({ sensor, id, due_at, fault }) => (
              <li key={sensor} class="plan-check">
                <span class="row">
                  <Icon name={fault === null ? 'check' : 'warning'} />
                  <span class="mono">{sensor}</span> {id}
                </span>
                <span>
                  {fault ?? (due_at === null ? '' : text.due(formatDateTime(due_at).split(',')[0] ?? ''))}
                </span>
              </li>
            ))}
          </ul>
        </div>
      )}
    </>
  );
}

function Parameters({ plan }: { plan: ScenarioPlan }) {
  const text = messages.value.run;
  const given = station.value?.variables ?? {};
  if (plan.parameters.length === 0) return null;
  return (
    <fieldset class="parameters">
      <legend>{text.parameters}</legend>
      {plan.parameters.map(({ name, value, unit }) => {
        const standard = `${value}${unit === null ? '' : ` ${unit}`}`;
        return (
          <Field
            key={name}
            label={name}
            value={given[name] ?? ''}
            hint={text.standard(standard)}
            onInput={(typed) => enter({ variables: { ...given, [name]: typed } })}
          />
        );
      })}
    </fieldset>
  );
}
