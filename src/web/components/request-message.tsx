import type { ComponentChildren } from 'preact';
import type { Finding } from '../../services/server/scenarios/finding.ts';
import { RequestError } from '../api/request.ts';
import { messages } from '../messages/index.ts';
import { FindingList } from './finding-list.tsx';
import { Message } from './message.tsx';
import { Said } from './said.tsx';

/** Why a request failed: in the person's language what happened, and the rig's own words for where and what to do. */
export function RequestMessage({ fault, actions }: { fault: unknown; actions?: ComponentChildren }) {
  const { request } = messages.value;
  const code = fault instanceof RequestError ? fault.code : 'failed';
  const remedy = fault instanceof RequestError ? fault.members.remedy : undefined;
  const detail = fault instanceof Error ? fault.message : String(fault);
  const findings =
    fault instanceof RequestError ? (fault.members.findings as Finding[] | undefined) : undefined;
  return (
    <Message kind="alarm" actions={actions}>
      <strong>{request[code] ?? request.failed}</strong>
      {findings === undefined ? (
        <p>
          <Said text={detail} isOfProgram />
        </p>
      ) : (
        <FindingList findings={findings} />
      )}
      {typeof remedy === 'string' && !detail.includes(remedy) ? <p lang="en">{remedy}</p> : null}
    </Message>
  );
}
