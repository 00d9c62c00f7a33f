import { useState } from 'preact/hooks';
import type { RunView } from '../../../services/server/runs/run-view.ts';
import { request } from '../../api/request.ts';
import { Button } from '../../components/button.tsx';
import { Fact } from '../../components/field.tsx';
import { Panel } from '../../components/panel.tsx';
import { RequestMessage } from '../../components/request-message.tsx';
import { formatDuration, messages } from '../../messages/index.ts';
import { runModel } from '../../run/current-run.ts';
import { BlockList } from './block-list.tsx';
import { CheckTable } from './check-table.tsx';
import { LogList } from './log-list.tsx';
import { PromptCard } from './prompt-card.tsx';
import { RunPlots } from './run-plots.tsx';
import { Verdict } from './verdict.tsx';

/** A run as it happens, and its result. */
export function Progress({ run }: { run: RunView }) {
  const text = messages.value.run;
  const known = runModel.value;
  const model = known?.runId === run.run_id ? known : undefined;
  const isOver = run.ended_at !== null;
  return (
    <div class="run-progress">
      {isOver ? <Verdict run={run} /> : <Now run={run} command={model?.command ?? null} t={model?.t ?? 0} />}
      {run.prompt && !isOver ? (
        // What was typed for one prompt is no answer to the next.
        <PromptCard key={`${run.run_id}/${run.prompt.n}`} runId={run.run_id} prompt={run.prompt} />
      ) : null}
      <div class="run-columns live">
        <div class="stack">
          <Panel title={text.plan}>
            <BlockList model={model} />
          </Panel>
          <Panel title={text.log}>
            <LogList lines={model?.log ?? []} />
          </Panel>
        </div>
        <div class="stack">
          <Panel title={text.checks}>
            <CheckTable model={model} />
          </Panel>
          <RunPlots model={model} />
        </div>
      </div>
    </div>
  );
}

interface NowProps {
  run: RunView;
  command: string | null;
  /** Of the run's clock, ms. */
  t: number;
}

function Now({ run, command, t }: NowProps) {
  const text = messages.value.run;
  const [fault, setFault] = useState<unknown>();
  const abort = () => {
    setFault(undefined);
    request(`/api/runs/${encodeURIComponent(run.run_id)}/abort`, { method: 'POST' }).catch(setFault);
  };
  return (
    <Panel
      title={runModel.value?.scenario ?? run.scenario_id}
      aside={
        <Button onClick={abort} disabled={run.status === 'aborting'}>
          {text.abort}
        </Button>
      }
    >
      <dl class="facts live">
        <Fact name={text.serial}>{run.unit_under_test ?? '–'}</Fact>
        <Fact name={text.operator}>{run.operator ?? '–'}</Fact>
        <Fact name={text.elapsed}>
          <span class="number">{formatDuration(t)}</span>
        </Fact>
        <Fact name={text.command}>
          <span class="mono">{command ?? messages.value.state[run.status]}</span>
        </Fact>
      </dl>
      {fault === undefined ? null : <RequestMessage fault={fault} />}
    </Panel>
  );
}
