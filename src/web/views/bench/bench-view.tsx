import { useEffect, useState } from 'preact/hooks';
import type { BenchOutputs, Twin } from '../../../services/server/routes/bench.ts';
import { request } from '../../api/request.ts';
import { ConfirmedButton } from '../../components/confirmed-button.tsx';
import { Choice, Fact } from '../../components/field.tsx';
import { Message } from '../../components/message.tsx';
import { Panel } from '../../components/panel.tsx';
import { RequestMessage } from '../../components/request-message.tsx';
import { LIVE_TIMEOUT_MS, useResource } from '../../components/resource.ts';
import { settings } from '../../live/state.ts';
import { formatNumber, messages } from '../../messages/index.ts';
import { addressOf, go, place } from '../../navigation/route.ts';
import { BenchTracePanel } from './bench-trace-panel.tsx';
import { FaultForm } from './fault-form.tsx';
import { KnobTable } from './knob-table.tsx';

/** Time between two readings of the outputs, ms. */
const READ_MS = 1000;

/** The twins: what they do in truth, their knobs and faults, and their trace. A rig has no bench. */
export function BenchView() {
  const text = messages.value.bench;
  if (settings.value === undefined) return <p class="muted">{messages.value.loading}</p>;
  if (!settings.value.has_bench) return <Message kind="note">{text.noBench}</Message>;
  return <Bench />;
}

function Bench() {
  const text = messages.value.bench;
  const { data, fault, reload } = useResource<{ devices: readonly Twin[] }>('/api/bench/devices');
  const [refusal, setRefusal] = useState<unknown>();
  const [round, setRound] = useState(0);
  const twins = data?.devices ?? [];
  const chosen = twins.find(({ device }) => device === place.value.item) ?? twins[0];
  const reset = async () => {
    setRefusal(undefined);
    await request('/api/bench/reset', { method: 'POST' }).catch(setRefusal);
    setRound((n) => n + 1);
    reload();
  };
  return (
    <div class="stack">
      <Panel
        title={text.title}
        aside={
          <ConfirmedButton question={text.resetQuestion} yes={text.resetYes} onConfirm={() => void reset()}>
            {text.reset}
          </ConfirmedButton>
        }
      >
        <p class="muted">{text.about}</p>
        {fault === undefined ? null : <RequestMessage fault={fault} />}
        {refusal === undefined ? null : <RequestMessage fault={refusal} />}
        <Outputs />
      </Panel>
      <div class="run-columns">
        <div class="stack">
          {chosen === undefined ? null : (
            <Panel title={text.device}>
              <div class="row">
                <Choice
                  label={text.device}
                  value={chosen.device}
                  onChange={(device) => go(addressOf('bench', device))}
                  options={twins.map(({ device }) => [device, device] as const)}
                />
              </div>
              <p class="muted small mono">{chosen.address}</p>
              <KnobTable key={`${round} ${chosen.device}`} twin={chosen} onSet={reload} />
              {chosen.faults.length === 0 ? null : <FaultForm key={chosen.device} twin={chosen} />}
            </Panel>
          )}
        </div>
        <div class="stack">
          <BenchTracePanel devices={twins.map(({ device }) => device)} />
        </div>
      </div>
    </div>
  );
}

/** As the plant knows them, whatever the software under test believes. */
function Outputs() {
  const text = messages.value.bench;
  const { data, fault, refresh } = useResource<BenchOutputs>('/api/bench/outputs', {
    timeoutMs: LIVE_TIMEOUT_MS,
  });
  useEffect(() => {
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') refresh();
    }, READ_MS);
    return () => clearInterval(timer);
  }, []);
  if (!data) return fault === undefined ? null : <RequestMessage fault={fault} />;
  const open = data.coils.flatMap((on, coil) => (on ? [String(coil)] : []));
  const { pump, lung, plant } = data;
  return (
    <dl class="facts" data-stale={fault !== undefined}>
      <Fact name={text.coils}>
        <span class="live">{open.join(', ') || text.none}</span>
      </Fact>
      <Fact name={text.pump}>
        <span class="live">{formatNumber(pump.fraction * 100, 1)} %</span>
      </Fact>
      <Fact name={text.lung}>
        <span class="live">
          {lung.velocity === 0 ? text.still : text.moves} · {formatNumber(plant.lung_volume_l)} l
        </span>
      </Fact>
      <Fact name={text.flow}>
        <span class="live">{formatNumber(plant.pump_flow_lpm)} l/min</span>
      </Fact>
      <Fact name={text.pressures}>
        <span class="live">{plant.pressure_v.map((volts) => formatNumber(volts)).join(' · ')} V</span>
      </Fact>
      <Fact name={text.supply}>
        <span class="live">{formatNumber(plant.supply_v, 1)} V</span>
      </Fact>
    </dl>
  );
}
