import { useState } from 'preact/hooks';
import type { ProfileState, ServiceList } from '../../../services/server/routes/maintenance.ts';
import { request } from '../../api/request.ts';
import { Button } from '../../components/button.tsx';
import { ConfirmedButton } from '../../components/confirmed-button.tsx';
import { Icon } from '../../components/icon.tsx';
import { Message } from '../../components/message.tsx';
import { Panel } from '../../components/panel.tsx';
import { RequestMessage } from '../../components/request-message.tsx';
import { type Resource, useResource } from '../../components/resource.ts';
import { TableFrame } from '../../components/table-frame.tsx';
import { formatDateTime, formatDuration, formatNumber, messages } from '../../messages/index.ts';
import { ServiceLogPanel } from './service-log-panel.tsx';

const PROFILES = ['stack', 'standalone'] as const;
/** Services end, each leaving its device safe, and start. */
const SWITCH_MS = 130_000;
const MEBIBYTE = 2 ** 20;

/** What runs, how it is, what it says, and which of the ADC services own the inputs. */
export function ServicesPage() {
  const services = useResource<ServiceList>('/api/services');
  const [logOf, setLogOf] = useState('svc-bridge');
  return (
    <>
      <ProfilePanel onSwitched={services.reload} />
      <ServicePanel services={services} onLog={setLogOf} />
      <ServiceLogPanel key={logOf} name={logOf} names={services.data?.services ?? []} onName={setLogOf} />
    </>
  );
}

function ProfilePanel({ onSwitched }: { onSwitched: () => void }) {
  const text = messages.value.rig.profile;
  const { data, fault, reload } = useResource<ProfileState>('/api/profile');
  const [switching, setSwitching] = useState<string>();
  const [refusal, setRefusal] = useState<unknown>();
  const change = async (profile: string) => {
    setSwitching(profile);
    setRefusal(undefined);
    await request('/api/profile', { body: { profile }, timeoutMs: SWITCH_MS }).catch(setRefusal);
    setSwitching(undefined);
    reload();
    onSwitched();
  };
  return (
    <Panel title={text.title}>
      {fault === undefined ? null : <RequestMessage fault={fault} />}
      {refusal === undefined ? null : <RequestMessage fault={refusal} />}
      {switching === undefined ? null : <Message kind="note">{text.switching(switching)}</Message>}
      {data ? (
        <p>
          {text.now} <strong class="mono">{data.profile ?? text.none}</strong>
        </p>
      ) : null}
      {data?.mismatches.map((one) => (
        <Message key={one} kind="warning">
          <span lang="en">{one}</span>
        </Message>
      ))}
      {PROFILES.map((profile) => (
        <div key={profile} class="profile">
          <div>
            <strong class="mono">{profile}</strong>
            <p class="muted small">{text.owns[profile]}</p>
          </div>
          {data?.profile === profile && data.mismatches.length === 0 ? (
            <span class="state state-quiet">
              <Icon name="check" />
              {text.runs}
            </span>
          ) : (
            <ConfirmedButton
              question={text.question(profile)}
              yes={text.yes}
              disabled={switching !== undefined || data === undefined}
              onConfirm={() => void change(profile)}
            >
              {text.choose(profile)}
            </ConfirmedButton>
          )}
        </div>
      ))}
    </Panel>
  );
}

function ServicePanel({
  services: { data, fault, isLoading, reload },
  onLog,
}: {
  services: Resource<ServiceList>;
  onLog: (name: string) => void;
}) {
  const text = messages.value.rig;
  const { columns, start } = text;
  const [isStarting, setStarting] = useState(false);
  const [refusal, setRefusal] = useState<unknown>();
  const startMissing = async () => {
    setStarting(true);
    setRefusal(undefined);
    await request('/api/services/start', { method: 'POST', timeoutMs: SWITCH_MS }).catch(setRefusal);
    setStarting(false);
    reload();
  };
  const isComplete = data?.services.every(({ ok }) => ok) ?? true;
  return (
    <Panel
      title={text.services}
      aside={
        <span class="row">
          {data ? <span class="muted small">{text.doctor.examinedAt(formatDateTime(data.at))}</span> : null}
          <Button disabled={isLoading} onClick={reload}>
            {text.lookAgain}
          </Button>
        </span>
      }
    >
      {fault === undefined ? null : <RequestMessage fault={fault} />}
      {refusal === undefined ? null : <RequestMessage fault={refusal} />}
      {isStarting ? <Message kind="note">{start.busy}</Message> : null}
      {isComplete || isStarting ? null : (
        <ConfirmedButton question={start.question} yes={start.yes} onConfirm={() => void startMissing()}>
          {start.offer}
        </ConfirmedButton>
      )}
      {data?.error === undefined ? null : (
        <Message kind="alarm">
          <span lang="en">{data.error}</span>
        </Message>
      )}
      {data ? (
        <TableFrame label={text.services}>
          <table class="service-table">
            <thead>
              <tr>
                <th scope="col">{text.name}</th>
                <th scope="col">{columns.state}</th>
                <th scope="col">{columns.health}</th>
                <th scope="col" class="number">
                  {columns.port}
                </th>
                <th scope="col" class="number">
                  {columns.uptime}
                </th>
                <th scope="col" class="number">
                  {columns.memory}
                </th>
                <th scope="col" class="number">
                  {columns.restarts}
                </th>
                <td />
              </tr>
            </thead>
            <tbody>
              {data.services.map((one) => (
                <tr key={`${one.name} ${one.pid}`}>
                  <th scope="row" class="mono">
                    {one.name}
                  </th>
                  <td lang="en">{one.state}</td>
                  <td lang="en">
                    <span class={`state state-${one.ok ? 'quiet' : 'alarm'}`}>
                      <Icon name={one.ok ? 'check' : 'warning'} />
                      {one.health}
                    </span>
                  </td>
                  <td class="number">{one.port ?? '–'}</td>
                  <td class="number">{one.uptimeMs === null ? '–' : formatDuration(one.uptimeMs)}</td>
                  <td class="number">
                    {one.memoryBytes === null ? '–' : `${formatNumber(one.memoryBytes / MEBIBYTE, 0)} MiB`}
                  </td>
                  <td class="number">{one.restarts ?? '–'}</td>
                  <td>
                    <Button
                      kind="quiet"
                      label={`${text.log.title} ${one.name}`}
                      onClick={() => onLog(one.name)}
                    >
                      {text.log.title}
                    </Button>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </TableFrame>
      ) : fault === undefined ? (
        <p class="muted">{messages.value.loading}</p>
      ) : null}
    </Panel>
  );
}
