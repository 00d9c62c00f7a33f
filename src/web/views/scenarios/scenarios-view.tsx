import { useState } from 'preact/hooks';
import { Field } from '../../components/field.tsx';
import { Icon } from '../../components/icon.tsx';
import { Panel } from '../../components/panel.tsx';
import { RequestMessage } from '../../components/request-message.tsx';
import { useResource } from '../../components/resource.ts';
import { TableFrame } from '../../components/table-frame.tsx';
import { messages } from '../../messages/index.ts';
import { addressOf, place } from '../../navigation/route.ts';
import { NewScenario } from './new-scenario.tsx';
import { ScenarioEditor } from './scenario-editor.tsx';

/** A scenario as the server lists it. */
export interface ListedScenario {
  id: string;
  name: string;
  device_type: string | null;
  version: string;
  valid: boolean;
  fault: string | null;
}

/** The scenarios of the rig, or the text of one of them. */
export function ScenariosView() {
  const { item, query } = place.value;
  if (item === '') return <ScenarioList />;
  return <ScenarioEditor key={item} id={item} isNew={query.has('new')} />;
}

/** The scenarios of the rig with what their check says. */
function ScenarioList() {
  const text = messages.value.scenarios;
  const [search, setSearch] = useState('');
  const { data, fault } = useResource<{ scenarios: ListedScenario[] }>('/api/scenarios');
  const wanted = search.trim().toLowerCase();
  const shown = (data?.scenarios ?? []).filter(({ id, name }) =>
    `${id} ${name}`.toLowerCase().includes(wanted),
  );
  return (
    <Panel title={text.title} aside={data ? <p class="muted">{text.count(shown.length)}</p> : null}>
      <Field label={text.search} type="search" value={search} onInput={setSearch} />
      {fault === undefined ? null : <RequestMessage fault={fault} />}
      {data || fault !== undefined ? null : <p class="muted">{messages.value.loading}</p>}
      {data && shown.length === 0 ? <p class="muted">{text.none}</p> : null}
      {shown.length > 0 ? (
        <TableFrame label={text.title}>
          <table>
            <thead>
              <tr>
                <th scope="col">{text.name}</th>
                <th scope="col">{text.id}</th>
                <th scope="col">{text.deviceType}</th>
                <th scope="col">{text.version}</th>
                <th scope="col">{text.validity}</th>
              </tr>
            </thead>
            <tbody>
              {shown.map((one) => (
                <tr key={one.id}>
                  <td>{one.name}</td>
                  <td class="mono">
                    <a href={addressOf('scenarios', one.id)}>{one.id}</a>
                  </td>
                  <td>{one.device_type ?? '–'}</td>
                  <td>{one.version}</td>
                  <td>
                    <span class={`state state-${one.valid ? 'quiet' : 'alarm'}`}>
                      <Icon name={one.valid ? 'check' : 'cross'} />
                      {one.valid ? text.valid : text.invalid}
                    </span>
                    {one.fault === null ? null : (
                      <p class="muted" lang="en">
                        {one.fault}
                      </p>
                    )}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </TableFrame>
      ) : null}
      <NewScenario />
    </Panel>
  );
}
