import { useState } from 'preact/hooks';
import type { Twin } from '../../../services/server/routes/bench.ts';
import { request } from '../../api/request.ts';
import { Button } from '../../components/button.tsx';
import { Choice, Field } from '../../components/field.tsx';
import { RequestMessage } from '../../components/request-message.tsx';
import { messages } from '../../messages/index.ts';
import { benchName } from './bench-name.ts';
import { knobText, knobValue } from './knob-text.ts';

/** Settings of a twin that last until they are set back. */
export function KnobTable({ twin, onSet }: { twin: Twin; onSet: () => void }) {
  const text = messages.value.bench;
  const [typed, setTyped] = useState<Readonly<Record<string, string>>>({});
  const [fault, setFault] = useState<unknown>();
  const set = async (name: string, value: unknown) => {
    setFault(undefined);
    const path = `/api/bench/${encodeURIComponent(twin.device)}/knobs`;
    try {
      await request(path, { method: 'PATCH', body: { [name]: value } });
      setTyped(({ [name]: _, ...rest }) => rest);
      onSet();
    } catch (thrown) {
      setFault(thrown);
    }
  };
  return (
    <>
      <p class="muted small">{text.knobsAbout}</p>
      {fault === undefined ? null : <RequestMessage fault={fault} />}
      <div class="knobs">
        {Object.entries(twin.knobs).map(([name, value]) => {
          const label = benchName(twin.device, name);
          if (typeof value === 'boolean')
            return (
              <Choice
                key={name}
                label={label}
                value={`${value}`}
                onChange={(next) => void set(name, next === 'true')}
                options={[
                  ['false', messages.value.run.no],
                  ['true', messages.value.run.yes],
                ]}
              />
            );
          const now = knobText(value);
          const shown = typed[name] ?? now;
          return (
            <form
              key={name}
              class="knob"
              onSubmit={(event) => {
                event.preventDefault();
                void set(name, knobValue(shown, value));
              }}
            >
              <Field
                label={label}
                value={shown}
                onInput={(next) => setTyped((before) => ({ ...before, [name]: next }))}
              />
              <Button type="submit" label={`${text.set}: ${label}`} disabled={shown === now}>
                {text.set}
              </Button>
            </form>
          );
        })}
      </div>
    </>
  );
}
