import type { RunView } from '../../../services/server/runs/run-view.ts';
import { Button } from '../../components/button.tsx';
import { Fact } from '../../components/field.tsx';
import { Icon, type IconName } from '../../components/icon.tsx';
import { RunReason } from '../../components/run-reason.tsx';
import { rigMode } from '../../frame/status.tsx';
import { formatDateTime, formatDuration, messages } from '../../messages/index.ts';
import { addressOf } from '../../navigation/route.ts';
import { runModel } from '../../run/current-run.ts';
import { enter, enterNextUnit, station } from '../../run/station.ts';
import { ChangedParameters } from './changed-parameters.tsx';

type Large = 'pass' | 'fail' | 'error' | 'done';

const LARGE: Readonly<Record<string, Large>> = { passed: 'pass', failed: 'fail', done: 'done' };
const ICONS: Readonly<Record<Large, IconName>> = {
  pass: 'check',
  fail: 'cross',
  error: 'warning',
  done: 'check',
};

/** Characters; longer words are set smaller. */
const LONG_WORD = 6;

/** One large word, what failed first, and what to do. It stays until somebody enters the next unit. */
export function Verdict({ run }: { run: RunView }) {
  const text = messages.value.run;
  const large = LARGE[run.status] ?? 'error';
  const isTest = !run.simulated && !run.bench;
  const safe = run.safe_state?.outcome ?? null;
  return (
    <section class={`verdict verdict-${large}`} aria-label={text.result}>
      <p class={`verdict-word ${text.verdicts[large].length > LONG_WORD ? 'is-long' : ''}`} role="status">
        <Icon name={ICONS[large]} />
        {text.verdicts[large]}
      </p>
      <div class="verdict-more">
        {large === 'error' ? <p class="verdict-state">{messages.value.state[run.status]}</p> : null}
        {run.first_failed === null && run.errors.length === 0 ? null : (
          <p class="verdict-reason">
            <RunReason run={run} />
          </p>
        )}
        {isTest ? null : <p>{text.noTest[rigMode() === 'mock' ? 'mock' : 'bench']}</p>}
        {safe !== null && safe !== 'safe' && safe !== 'simulated' ? <p>{text.notSafe}</p> : null}
        <dl class="facts">
          <Fact name={text.serial}>{run.unit_under_test ?? '–'}</Fact>
          <Fact name={text.scenario}>{runModel.value?.scenario ?? run.scenario_id}</Fact>
          <Fact name={text.operator}>{run.operator ?? '–'}</Fact>
          <Fact name={text.goals}>
            {run.passed} / {run.total}
          </Fact>
          <Fact name={text.ended}>{run.ended_at === null ? '–' : formatDateTime(run.ended_at)}</Fact>
          <Fact name={text.elapsed}>
            {run.ended_at === null
              ? '–'
              : formatDuration(Date.parse(run.ended_at) - Date.parse(run.started_at))}
          </Fact>
        </dl>
      </div>
      <ChangedParameters />
      <Next run={run} />
    </section>
  );
}

function Next({ run }: { run: RunView }) {
  const text = messages.value.run;
  const entries = station.value;
  // A serial number that was scanned meanwhile is that of the next unit.
  const scanned =
    entries && entries.serial !== '' && entries.serial !== run.unit_under_test ? entries.serial : '';
  return (
    <div class="verdict-actions">
      <Button kind="primary" size="glove" onClick={() => enterNextUnit(run.run_id, scanned)}>
        {scanned === '' ? text.nextUnit : text.nextUnitOf(scanned)}
      </Button>
      <Button
        size="glove"
        onClick={() => enter({ dismissed_run: run.run_id, serial: run.unit_under_test ?? '' })}
      >
        {text.repeat}
      </Button>
      <Button size="glove" onClick={() => print()}>
        {text.print}
      </Button>
      <a class="button button-plain button-glove" href={addressOf('history', run.run_id)}>
        {text.record}
      </a>
    </div>
  );
}
