import { Said } from '../../components/said.tsx';
import { StateMark } from '../../components/state-mark.tsx';
import { messages } from '../../messages/index.ts';
import type { RunModel } from '../../run/run-model.ts';

/** The blocks of the scenario with their states. */
export function BlockList({ model }: { model: RunModel | undefined }) {
  const text = messages.value.run;
  if (!model || model.blocks.length === 0) return <p class="muted">{messages.value.loading}</p>;
  return (
    <ol class="blocks">
      {model.blocks.map(({ name, kind, state, attempt, message }, at) => (
        <li key={`${at} ${name}`} {...(state === 'running' ? { 'aria-current': 'step' as const } : {})}>
          <div class="block-line">
            <span class={kind === 'CONFIG' ? 'muted' : ''}>{name}</span>
            <StateMark state={state} />
          </div>
          {attempt > 1 ? <p class="muted">{text.attempt(attempt)}</p> : null}
          {message === null ? null : (
            <p class="block-message">
              <Said text={message} />
            </p>
          )}
        </li>
      ))}
    </ol>
  );
}
