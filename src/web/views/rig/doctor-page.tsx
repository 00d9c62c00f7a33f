import { useState } from 'preact/hooks';
import type { Issue } from '../../../diagnostics/doctor/finding.ts';
import { folds } from '../../../diagnostics/doctor/folds.ts';
import type { Examination, Repair } from '../../../services/server/routes/maintenance.ts';
import { RequestError, request } from '../../api/request.ts';
import { Button } from '../../components/button.tsx';
import { ConfirmedButton } from '../../components/confirmed-button.tsx';
import { Icon } from '../../components/icon.tsx';
import { Message } from '../../components/message.tsx';
import { Panel } from '../../components/panel.tsx';
import { RequestMessage } from '../../components/request-message.tsx';
import { formatDateTime, messages } from '../../messages/index.ts';

/** A silent line is swept for 15 s, and there may be several. */
const LIMIT_MS = 130_000;
/** Until a server that is started again is asked again, ms. */
const RETRY_MS = 1000;

type Work = 'examine' | 'repair' | 'apply';

const PATHS: Readonly<Record<Work, string>> = {
  examine: '/api/doctor',
  repair: '/api/doctor/repair',
  apply: '/api/config/apply',
};

const ask = <T,>(work: Work): Promise<T> => request<T>(PATHS[work], { method: 'POST', timeoutMs: LIMIT_MS });

/** svc-server is started again too and its answer is lost then: it is asked again when it is there, which changes nothing more. */
async function apply(): Promise<void> {
  const until = Date.now() + LIMIT_MS;
  for (;;)
    try {
      return await ask<undefined>('apply');
    } catch (thrown) {
      const isGone = thrown instanceof RequestError && thrown.code === 'unreachable';
      if (!isGone || Date.now() > until) throw thrown;
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    }
}

/** What is wrong with the rig, by which it is seen, what mends it, and the repair that a program may make. */
export function DoctorPage() {
  const text = messages.value.rig.doctor;
  const [found, setFound] = useState<Examination>();
  const [fault, setFault] = useState<unknown>();
  const [busy, setBusy] = useState<Work>();
  const [isApplied, setApplied] = useState(false);
  const work = async (one: Work) => {
    setBusy(one);
    setFault(undefined);
    try {
      if (one === 'apply') await apply();
      else setFound(await ask<Examination>(one));
      setApplied(one === 'apply');
    } catch (thrown) {
      setFault(thrown);
    }
    setBusy(undefined);
  };
  return (
    <Panel
      title={text.title}
      aside={
        <Button kind="primary" disabled={busy !== undefined} onClick={() => void work('examine')}>
          {found ? text.again : text.examine}
        </Button>
      }
    >
      <p class="muted">{text.about}</p>
      {fault === undefined ? null : <RequestMessage fault={fault} />}
      {busy === undefined ? null : <Message kind="note">{text.busy[busy]}</Message>}
      {found ? <Summary found={found} isOld={busy !== undefined || fault !== undefined} /> : null}
      {found?.applied_repairs.map(({ path, backup, changes }) => (
        <Message
          key={path}
          kind="note"
          actions={
            isApplied ? null : (
              <ConfirmedButton
                question={text.applyQuestion}
                yes={text.applyYes}
                disabled={busy !== undefined}
                onConfirm={() => void work('apply')}
              >
                {text.apply}
              </ConfirmedButton>
            )
          }
        >
          <strong>{isApplied ? text.applied : text.repaired(path, backup)}</strong>
          <Values of={Object.entries(changes).map(([name, { from, to }]) => [name, from, to])} />
        </Message>
      ))}
      {found?.repairs.map((one) => (
        <RepairOffer key={one.id} repair={one} isBusy={busy !== undefined} onRepair={() => work('repair')} />
      ))}
      {found ? <Findings found={found} /> : null}
    </Panel>
  );
}

function Summary({ found, isOld }: { found: Examination; isOld: boolean }) {
  const text = messages.value.rig.doctor;
  const { errors, warnings, infos } = found.summary;
  return (
    <p class={isOld ? 'muted' : ''}>
      <strong>
        {errors + warnings + infos === 0 ? text.nothing : text.summary(errors, warnings, infos)}
      </strong>{' '}
      <span class="muted">{text.examinedAt(formatDateTime(found.at))}</span>
    </p>
  );
}

function RepairOffer({
  repair,
  isBusy,
  onRepair,
}: {
  repair: Repair;
  isBusy: boolean;
  onRepair: () => Promise<void>;
}) {
  const text = messages.value.rig.doctor;
  const { safe, reason, mismatches = {} } = repair;
  if (!safe || reason === null) return null;
  const values = Object.entries(mismatches).map(
    ([name, { current, detected }]) => [name, current, detected] as const,
  );
  if (reason === 'failed')
    return (
      <Message kind="alarm">
        <strong>{text.failed}</strong>
        <p lang="en">{repair.hint}</p>
      </Message>
    );
  return (
    <Message
      kind="note"
      actions={
        <ConfirmedButton
          question={text.repairQuestion}
          yes={text.repairYes}
          disabled={isBusy}
          onConfirm={() => void onRepair()}
        >
          {text.repair}
        </ConfirmedButton>
      }
    >
      <strong>{text.offer}</strong>
      <Values of={values} />
    </Message>
  );
}

const Values = ({ of }: { of: readonly (readonly [string, string | number, string | number])[] }) => (
  <ul>
    {of.map(([name, from, to]) => (
      <li key={name} class="mono">
        {name}: {from} → {to}
      </li>
    ))}
  </ul>
);

function Findings({ found }: { found: Examination }) {
  const text = messages.value.rig.doctor;
  return (
    <>
      <ul class="devices">
        {folds(found.issues).map(({ head, effects, severity }, index) => (
          <li key={`${index} ${head.code}`}>
            <FindingText finding={head} severity={severity} />
            {effects.map((effect, at) => (
              <p key={`${at} ${effect.code}`} class="effect">
                <span class="muted">{text.explains}</span> <span lang="en">{effect.message}</span>{' '}
                <span class="mono muted small">{effect.code}</span>
              </p>
            ))}
          </li>
        ))}
      </ul>
      {found.not_checked.length === 0 ? null : (
        <details>
          <summary>{text.notChecked(found.not_checked.length)}</summary>
          <ul>
            {found.not_checked.map(({ code, reason }) => (
              <li key={code} lang="en">
                <span class="mono">{code}</span>: {reason}
              </li>
            ))}
          </ul>
        </details>
      )}
    </>
  );
}

const LOOKS = {
  error: ['warning', 'alarm'],
  warn: ['warning', 'warning'],
  info: ['dot', 'quiet'],
} as const;

function FindingText({ finding, severity }: { finding: Issue; severity: Issue['severity'] }) {
  const text = messages.value.rig.doctor;
  const [icon, kind] = LOOKS[severity];
  const { code, message, evidence, cause, remedy } = finding;
  return (
    <>
      <div class="block-line">
        <strong lang="en">{message}</strong>
        <span class={`state state-${kind}`}>
          <Icon name={icon} />
          {text.severity[severity]}
        </span>
      </div>
      <dl class="finding" lang="en">
        <dt>{text.seen}</dt>
        <dd>
          {evidence.map(({ source, value }, index) => (
            <div key={`${index} ${source}`}>
              {source}: {value}
            </div>
          ))}
        </dd>
        <dt>{text.cause}</dt>
        <dd>{cause}</dd>
        <dt>{text.remedy}</dt>
        <dd>{remedy}</dd>
      </dl>
      <p class="mono muted small">{code}</p>
    </>
  );
}
