import type { Finding } from '../../services/server/scenarios/finding.ts';
import { withRemedy } from '../../services/server/scenarios/with-remedy.ts';
import { messages } from '../messages/index.ts';
import { Said } from './said.tsx';

/** Why a scenario is not run: code and place in its text, what is wrong, what to do. */
export function FindingList({ findings }: { findings: readonly Finding[] }) {
  const { editor } = messages.value.scenarios;
  return (
    <ul class="refusal">
      {findings.map(({ code, message, file, line, column, remedy }) => (
        <li key={`${code} ${file} ${line} ${column} ${message}`}>
          <strong>
            {code}
            {line === null || column === null ? '' : ` ${file ?? ''} ${editor.place(line, column)}`}
          </strong>
          <p>
            <Said text={withRemedy({ message, remedy })} code={code} isOfProgram />
          </p>
        </li>
      ))}
    </ul>
  );
}
