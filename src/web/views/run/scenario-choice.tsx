import { useState } from 'preact/hooks';
import type { RunView } from '../../../services/server/runs/run-view.ts';
import { Field } from '../../components/field.tsx';
import { Icon } from '../../components/icon.tsx';
import { RequestMessage } from '../../components/request-message.tsx';
import { useResource } from '../../components/resource.ts';
import { messages } from '../../messages/index.ts';
import type { ListedScenario } from '../scenarios/scenarios-view.tsx';

/** Runs among which the scenarios that were used last are looked for. */
const RECENT = 30;

interface ScenarioChoiceProps {
  chosen: string;
  onChoose: (id: string) => void;
}

/** The scenarios, those used last first. */
export function ScenarioChoice({ chosen, onChoose }: ScenarioChoiceProps) {
  const text = messages.value.run;
  const [search, setSearch] = useState('');
  const { data, fault } = useResource<{ scenarios: ListedScenario[] }>('/api/scenarios');
  const recent = useResource<{ runs: RunView[] }>(`/api/runs?limit=${RECENT}`).data?.runs ?? [];
  const lastUsed = new Map(recent.map(({ scenario_id }, at) => [scenario_id, at] as const).reverse());
  const rank = ({ id }: ListedScenario) => lastUsed.get(id) ?? RECENT;
  const wanted = search.trim().toLowerCase();
  const shown = (data?.scenarios ?? [])
    .filter(({ id, name }) => `${id} ${name}`.toLowerCase().includes(wanted))
    .sort((one, other) => rank(one) - rank(other));
  return (
    <div class="stack">
      <Field label={text.search} type="search" value={search} onInput={setSearch} />
      {fault === undefined ? null : <RequestMessage fault={fault} />}
      <ul class="choices" aria-label={text.scenario}>
        {shown.map((one) => (
          <li key={one.id}>
            <button
              type="button"
              class="choice"
              aria-pressed={one.id === chosen}
              onClick={() => onChoose(one.id)}
            >
              <span class="choice-name">{one.name}</span>
              <span class="choice-more">
                {one.valid ? (
                  [one.device_type, lastUsed.has(one.id) ? text.recent : null].filter(Boolean).join(' · ')
                ) : (
                  <>
                    <Icon name="warning" />
                    {messages.value.scenarios.invalid}
                  </>
                )}
              </span>
            </button>
          </li>
        ))}
      </ul>
      {data && shown.length === 0 ? <p class="muted">{messages.value.scenarios.none}</p> : null}
    </div>
  );
}
