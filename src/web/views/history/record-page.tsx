import type { RunView } from '../../../services/server/runs/run-view.ts';
import { Fact } from '../../components/field.tsx';
import { Message } from '../../components/message.tsx';
import { Panel } from '../../components/panel.tsx';
import { RequestMessage } from '../../components/request-message.tsx';
import { useResource } from '../../components/resource.ts';
import { RunReason } from '../../components/run-reason.tsx';
import { StateMark } from '../../components/state-mark.tsx';
import { formatDateTime, formatDuration, messages } from '../../messages/index.ts';
import { addressOf } from '../../navigation/route.ts';
import { BlockList } from '../run/block-list.tsx';
import { CheckTable } from '../run/check-table.tsx';
import { LogList } from '../run/log-list.tsx';
import { RunPlots } from '../run/run-plots.tsx';
import { CompareWith } from './compare-with.tsx';
import { EventTable, RanScenario } from './record-details.tsx';
import { modelOf, type Report, reportPath } from './report.ts';
import { HardwareMark } from './run-table.tsx';
import { SealMark } from './seal-mark.tsx';

/** Formats of a report and their names. */
const FORMATS = [
  ['html', 'HTML'],
  ['json', 'JSON'],
  ['junit', 'JUnit'],
  ['csv', 'CSV'],
] as const;

/** One record: what the run was, its blocks, judged values, plots and files. */
export function RecordPage({ runId }: { runId: string }) {
  const text = messages.value.history;
  const { data, fault } = useResource<Report>(reportPath(runId));
  if (fault !== undefined)
    return (
      <Panel title={runId}>
        <RequestMessage fault={fault} />
        <a href={addressOf('history')}>{text.back}</a>
      </Panel>
    );
  if (!data) return <p class="muted">{messages.value.loading}</p>;
  const model = modelOf(data);
  return (
    <div class="run-progress">
      <Panel title={model.scenario ?? data.scenario_id} aside={<StateMark state={data.status} />}>
        {data.first_failed === null && data.errors.length === 0 ? null : (
          <Message kind="note">
            <RunReason run={data} />
          </Message>
        )}
        <Facts run={data} durationMs={data.duration_ms} />
        <div class="row no-print">
          {FORMATS.map(([format, name]) => (
            <a key={format} class="button button-plain" href={reportPath(runId, format)} download>
              {text.download(name)}
            </a>
          ))}
          {data.unit_under_test === null ? null : (
            <a
              class="button button-plain"
              href={addressOf('history', '', new URLSearchParams({ serial: data.unit_under_test }))}
            >
              {text.allOfUnit}
            </a>
          )}
        </div>
        <CompareWith run={data} />
      </Panel>
      <div class="run-columns">
        <div class="stack">
          <Panel title={messages.value.run.plan}>
            <BlockList model={model} />
          </Panel>
          <Panel title={messages.value.run.log}>
            <LogList lines={model.log} />
          </Panel>
        </div>
        <div class="stack">
          <Panel title={messages.value.run.checks}>
            <CheckTable model={model} />
          </Panel>
          <RunPlots model={model} />
        </div>
      </div>
      <RanScenario runId={runId} />
      <EventTable events={data.events} />
    </div>
  );
}

function Facts({ run, durationMs }: { run: Report; durationMs: number }) {
  const text = messages.value.history;
  const words = messages.value.run;
  // Of a member that is null: nobody named it, or the record does not have it.
  const none = (...names: (keyof RunView)[]) =>
    names.some((name) => run.not_recorded.includes(name)) ? text.notRecorded : '–';
  return (
    <dl class="facts">
      <Fact name={words.serial}>{run.unit_under_test ?? '–'}</Fact>
      <Fact name={words.part}>
        {[run.part, run.revision].filter(Boolean).join(' / ') || none('part', 'revision')}
      </Fact>
      <Fact name={words.batch}>{run.batch ?? none('batch')}</Fact>
      <Fact name={words.operator}>{run.operator ?? '–'}</Fact>
      <Fact name={text.started}>{formatDateTime(run.started_at)}</Fact>
      <Fact name={words.elapsed}>{formatDuration(durationMs)}</Fact>
      <Fact name={text.station}>{run.station?.host ?? none('station')}</Fact>
      <Fact name={text.record}>
        <span class="mono">{run.run_id}</span> <HardwareMark run={run} />
      </Fact>
      <Fact name={text.evidence}>
        <SealMark seal={run.seal} />
      </Fact>
      <Fact name={text.scenarioText}>
        <a
          class="mono"
          title={text.allOfText}
          href={addressOf('history', '', new URLSearchParams({ version: run.scenario_sha256 }))}
        >
          {run.scenario_sha256.slice(0, 12)}
        </a>
      </Fact>
      <Fact name={text.safeState}>
        {run.safe_state ? (text.safeStates[run.safe_state.outcome] ?? run.safe_state.outcome) : '–'}
      </Fact>
      <Fact name={words.calibrations}>
        {run.identity.calibrations === undefined
          ? text.notRecorded
          : run.identity.calibrations.map(({ sensor, id }) => `${sensor}: ${id}`).join(', ') || '–'}
      </Fact>
    </dl>
  );
}
