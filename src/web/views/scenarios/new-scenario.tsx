import { useState } from 'preact/hooks';
import { isNewId } from '../../../services/server/scenarios/new-id.ts';
import { Button } from '../../components/button.tsx';
import { Field } from '../../components/field.tsx';
import { Message } from '../../components/message.tsx';
import { messages } from '../../messages/index.ts';
import { addressOf, go } from '../../navigation/route.ts';

/** Asks for the name of a new scenario. It is made when its text is saved for the first time. */
export function NewScenario() {
  const text = messages.value.scenarios.editor;
  const [id, setId] = useState('');
  const [isRefused, setRefused] = useState(false);
  const name = id.trim().replace(/\.(oql|cql)$/, '');
  return (
    <form
      class="stack"
      onSubmit={(event) => {
        event.preventDefault();
        setRefused(!isNewId(name));
        if (isNewId(name)) go(addressOf('scenarios', name, new URLSearchParams({ new: '1' })));
      }}
    >
      <div class="row">
        <Field label={`${text.newTitle}: ${text.newName}`} value={id} onInput={setId} />
        <Button type="submit" disabled={name === ''}>
          {text.create}
        </Button>
      </div>
      {isRefused && !isNewId(name) ? <Message kind="warning">{text.badName(name)}</Message> : null}
    </form>
  );
}
