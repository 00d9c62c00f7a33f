import { Button } from '../../components/button.tsx';
import { Message } from '../../components/message.tsx';
import { messages } from '../../messages/index.ts';
import { changedParameters, enter, OWN_PARAMETERS, station } from '../../run/station.ts';

/** Says that the next run has other values than its scenario, and for how long; nothing where it has the scenario's own. */
export function ChangedParameters() {
  const text = messages.value.run;
  const changed = Object.entries(changedParameters());
  const isKept = station.value?.keep_variables === true;
  if (changed.length === 0) return null;
  return (
    <Message kind="warning">
      <strong>{text.changed(changed.map(([name, value]) => `${name} = ${value}`).join(', '))}</strong>
      <p>{isKept ? text.changedKept : text.changedOnce}</p>
      <div class="row">
        <Button pressed={isKept} onClick={() => enter({ keep_variables: !isKept })}>
          {text.keepParameters}
        </Button>
        <Button onClick={() => enter(OWN_PARAMETERS)}>{text.ownParameters}</Button>
      </div>
    </Message>
  );
}
