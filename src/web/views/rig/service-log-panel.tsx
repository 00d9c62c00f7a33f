import { useState } from 'preact/hooks';
import type { ServiceLog } from '../../../services/server/routes/service-logs.ts';
import { Button } from '../../components/button.tsx';
import { Choice, Field } from '../../components/field.tsx';
import { Icon } from '../../components/icon.tsx';
import { Panel } from '../../components/panel.tsx';
import { RequestMessage } from '../../components/request-message.tsx';
import { useResource } from '../../components/resource.ts';
import { formatDateTime, messages } from '../../messages/index.ts';
import { logLineOf } from './log-line.ts';

interface ServiceLogPanelProps {
  name: string;
  names: readonly { name: string }[];
  onName: (name: string) => void;
}

/** The end of a service's log, the newest line first, with a filter. */
export function ServiceLogPanel({ name, names, onName }: ServiceLogPanelProps) {
  const text = messages.value.rig.log;
  const { data, fault, isLoading, reload } = useResource<ServiceLog>(
    `/api/services/${encodeURIComponent(name)}/log?lines=500`,
  );
  const [filter, setFilter] = useState('');
  const known = [...new Set([name, ...names.map((one) => one.name)])];
  const wanted = filter.toLowerCase();
  const lines = (data?.lines ?? []).filter((line) => line.toLowerCase().includes(wanted)).reverse();
  return (
    <Panel
      title={text.title}
      aside={
        <Button disabled={isLoading} onClick={reload}>
          {messages.value.rig.lookAgain}
        </Button>
      }
    >
      <div class="row">
        <Choice
          label={text.service}
          value={name}
          onChange={onName}
          options={known.map((one) => [one, one] as const)}
        />
        <Field label={text.filter} type="search" value={filter} onInput={setFilter} />
      </div>
      {fault === undefined ? (
        <p class="muted small">
          <span class="mono">{data?.file}</span> {data?.is_cut ? text.cut : ''}
        </p>
      ) : (
        <RequestMessage fault={fault} />
      )}
      {fault !== undefined || lines.length === 0 ? (
        <p class="muted">{isLoading ? messages.value.loading : fault === undefined ? text.none : ''}</p>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, by keyboard too
        <ul class="log" tabIndex={0} aria-label={text.title} lang="en">
          {lines.map((line, index) => {
            const { at, level, text: said, fields } = logLineOf(line);
            return (
              <li key={`${lines.length - index} ${line}`}>
                <span class="number muted">{at === undefined ? '' : formatDateTime(at)}</span>
                {level === 'error' || level === 'warn' ? <Icon name="warning" /> : null}
                <span>
                  {said} <span class="muted">{fields}</span>
                </span>
              </li>
            );
          })}
        </ul>
      )}
    </Panel>
  );
}
