import { Icon } from '../../components/icon.tsx';
import { Said } from '../../components/said.tsx';
import { messages } from '../../messages/index.ts';
import type { ShownFinding } from './language/protocol.ts';

const LOOKS = { error: ['cross', 'alarm'], warning: ['warning', 'warning'], info: ['dot', 'quiet'] } as const;

interface FindingsProps {
  findings: readonly ShownFinding[];
  onShow: (finding: ShownFinding) => void;
}

/** What the check says, as a list that can be walked by keyboard. */
export function Findings({ findings, onShow }: FindingsProps) {
  const text = messages.value.scenarios.editor;
  if (findings.length === 0) return <p data-findings="0">{text.noFindings}</p>;
  return (
    <ul class="findings" data-findings={findings.length}>
      {findings.map((one) => {
        const { code, severity, message, pos } = one.diagnostic;
        const [icon, kind] = LOOKS[severity];
        return (
          <li key={`${code} ${pos.line}:${pos.col} ${message}`}>
            <span class={`state state-${kind}`}>
              <Icon name={icon} />
              {text.severity[severity]}
            </span>
            <button type="button" class="button button-quiet" onClick={() => onShow(one)}>
              {text.line(pos.line)}
            </button>
            <p>
              <Said text={message} code={code} isOfProgram /> <span class="mono muted">{code}</span>
            </p>
          </li>
        );
      })}
    </ul>
  );
}
