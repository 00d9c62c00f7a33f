import { useState } from 'preact/hooks';
import { RequestError, request } from '../api/request.ts';
import { Button } from '../components/button.tsx';
import { Field } from '../components/field.tsx';
import { Message } from '../components/message.tsx';
import { Panel } from '../components/panel.tsx';
import { RequestMessage } from '../components/request-message.tsx';
import { messages } from '../messages/index.ts';

/** Asks for the token of the rig. The server keeps it as a cookie that no script can read. */
export function TokenForm({ onDone }: { onDone: () => void }) {
  const text = messages.value.token;
  const [token, setToken] = useState('');
  const [fault, setFault] = useState<unknown>();
  const submit = async () => {
    setFault(undefined);
    try {
      await request('/api/session', { body: { token: token.trim() } });
      onDone();
    } catch (thrown) {
      setFault(thrown);
    }
  };
  const isWrong = fault instanceof RequestError && fault.status === 401;
  return (
    <Panel title={text.title} class="panel-narrow">
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        <p>{text.explain}</p>
        <Field label={text.label} type="password" value={token} onInput={setToken} required />
        {isWrong ? <Message kind="alarm">{text.wrong}</Message> : null}
        {fault !== undefined && !isWrong ? <RequestMessage fault={fault} /> : null}
        <Button type="submit" kind="primary" size="glove">
          {text.enter}
        </Button>
      </form>
    </Panel>
  );
}
