import { useState } from 'preact/hooks';
import type { Twin } from '../../../services/server/routes/bench.ts';
import { request } from '../../api/request.ts';
import { Button } from '../../components/button.tsx';
import { Choice, Field } from '../../components/field.tsx';
import { Message } from '../../components/message.tsx';
import { RequestMessage } from '../../components/request-message.tsx';
import { messages } from '../../messages/index.ts';
import { benchName } from './bench-name.ts';
import { knobValue } from './knob-text.ts';

const MOST = 1000;

/** Spoils the next answers of a twin, then it is as before. */
export function FaultForm({ twin }: { twin: Twin }) {
  const text = messages.value.bench;
  const [name, setName] = useState(twin.faults[0] ?? '');
  const [value, setValue] = useState('true');
  const [count, setCount] = useState('1');
  const [state, setState] = useState<{ fault?: unknown; done?: string }>({});
  const times = Number(count);
  const isCount = Number.isInteger(times) && times >= 1 && times <= MOST;
  const inject = async () => {
    const faults = new Array(times).fill({ [name]: knobValue(value, true) });
    try {
      await request(`/api/bench/${encodeURIComponent(twin.device)}/faults`, { body: { faults } });
      setState({ done: text.injected(benchName(twin.device, name), times) });
    } catch (fault) {
      setState({ fault });
    }
  };
  return (
    <form
      class="stack"
      onSubmit={(event) => {
        event.preventDefault();
        void inject();
      }}
    >
      <h3>{text.faults}</h3>
      <p class="muted small">{text.faultsAbout}</p>
      {state.fault === undefined ? null : <RequestMessage fault={state.fault} />}
      {state.done === undefined ? null : <Message kind="note">{state.done}</Message>}
      <div class="row">
        <Choice
          label={text.fault}
          value={name}
          onChange={setName}
          options={twin.faults.map((one) => [one, benchName(twin.device, one)] as const)}
        />
        <Field label={text.faultValue} value={value} onInput={setValue} />
        <Field label={text.faultCount} value={count} onInput={setCount} />
      </div>
      <div>
        <Button type="submit" disabled={!isCount}>
          {text.inject}
        </Button>
      </div>
    </form>
  );
}
