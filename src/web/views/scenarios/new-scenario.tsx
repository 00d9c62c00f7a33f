import { useState } from 'preact/hooks';
import { Button } from '../../components/button.tsx';
import { Field } from '../../components/field.tsx';
import { messages } from '../../messages/index.ts';
import { addressOf, go } from '../../navigation/route.ts';

/** Asks for the name of a new scenario. It is made when its text is saved for the first time. */
export function NewScenario() {
  const text = messages.value.scenarios.editor;
  const [id, setId] = useState('');
  const name = id.trim().replace(/\.(oql|cql)$/, '');
  return (
    <form
      class="row"
      onSubmit={(event) => {
        event.preventDefault();
        if (name !== '') go(addressOf('scenarios', name, new URLSearchParams({ new: '1' })));
      }}
    >
      <Field label={`${text.newTitle}: ${text.newName}`} value={id} onInput={setId} />
      <Button type="submit" disabled={name === ''}>
        {text.create}
      </Button>
    </form>
  );
}
