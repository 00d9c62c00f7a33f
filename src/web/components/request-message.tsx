import type { ComponentChildren } from 'preact';
import { RequestError } from '../api/request.ts';
import { messages } from '../messages/index.ts';
import { Message } from './message.tsx';
import { Said } from './said.tsx';

/** Why a request failed: in the person's language what happened, and the rig's own words for where and what to do. */
export function RequestMessage({ fault, actions }: { fault: unknown; actions?: ComponentChildren }) {
  const { request } = messages.value;
  const code = fault instanceof RequestError ? fault.code : 'failed';
  const remedy = fault instanceof RequestError ? fault.members.remedy : undefined;
  const detail = fault instanceof Error ? fault.message : String(fault);
  return (
    <Message kind="alarm" actions={actions}>
      <strong>{request[code] ?? request.failed}</strong>
      <p>
        <Said text={detail} isOfProgram />
      </p>
      {typeof remedy === 'string' && !detail.includes(remedy) ? <p lang="en">{remedy}</p> : null}
    </Message>
  );
}
