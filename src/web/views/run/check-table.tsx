import { LimitBar, limitText } from '../../components/limit-bar.tsx';
import { Said } from '../../components/said.tsx';
import { StateMark } from '../../components/state-mark.tsx';
import { formatNumber, messages } from '../../messages/index.ts';
import type { CheckState, RunModel } from '../../run/run-model.ts';

/** Every judged value beside its limits, the newest of a running test last. */
export function CheckTable({ model }: { model: RunModel | undefined }) {
  const text = messages.value.run;
  const checks = model?.checks ?? [];
  if (checks.length === 0) return <p class="muted">{text.noChecks}</p>;
  return (
    <ul class="checks">
      {checks.map((check) => (
        <li key={check.key} class={`check ${isPlain(check) ? 'is-plain' : ''}`}>
          <div class="check-name">
            <span class="mono">{check.sensor ?? check.kind}</span>
            <StateMark state={check.outcome} />
          </div>
          {isPlain(check) ? null : (
            <>
              <div class="check-value number">{valueText(check)}</div>
              <LimitBar
                value={typeof check.actual === 'number' ? check.actual : null}
                low={check.low}
                high={check.high}
                isFailed={check.outcome !== 'passed'}
              />
              <div class="check-limits number muted">{limitText(check.low, check.high, check.unit)}</div>
            </>
          )}
          {check.message === '' ? null : (
            <p class="check-message">
              <Said text={check.message} />
            </p>
          )}
        </li>
      ))}
    </ul>
  );
}

/** Judged without limits, for example the state of a valve: its message says all. */
const isPlain = ({ low, high, actual }: CheckState): boolean =>
  low === null && high === null && typeof actual !== 'number';

export function valueText({ actual, unit }: Pick<CheckState, 'actual' | 'unit'>): string {
  if (actual === null) return '–';
  const value = typeof actual === 'number' ? formatNumber(actual, 4) : String(actual);
  return unit === null || unit === '' ? value : `${value} ${unit}`;
}
