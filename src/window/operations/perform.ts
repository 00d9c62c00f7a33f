import type { Clock } from '../../lib/clock/clock.ts';
import { askModel, type ModelAnswer, type ModelSettings } from '../llm/ask-model.ts';
import type { Examination } from './diagnose.ts';
import type { Job } from './job.ts';
import { type Operation, type RequestBody, requestOf, type WindowRequest } from './request.ts';

/** Does jobs: in this thread, or in others. */
export type JobRunner = (job: Job, signal?: AbortSignal) => Promise<object>;

export interface Performer {
  run: JobRunner;
  clock: Clock;
  /** undefined: no language model is configured. */
  model?: ModelSettings | undefined;
}

/** One of the seven operations, the same for the service and for the command. @throws WindowError */
export async function perform(
  performer: Performer,
  operation: Operation,
  body: RequestBody,
  signal?: AbortSignal,
): Promise<object> {
  const request = requestOf(operation, body);
  if (operation === 'diagnose') return diagnose(performer, request, signal);
  return performer.run({ kind: operation, request }, signal);
}

/** The model is asked between the jobs: while it thinks, no thread waits for it. */
async function diagnose(performer: Performer, request: WindowRequest, signal?: AbortSignal): Promise<object> {
  const examination = (await performer.run({ kind: 'diagnose', request }, signal)) as Examination;
  const { document, programHash } = examination;
  const llm = await consult(performer, examination, signal);
  const told = { ...document, llm };
  if (!request.save || request.file === undefined) return told;
  const findings = { ...examination.findings, ...(llm.ok ? { llm } : {}) };
  const saved = await performer.run({ kind: 'store', file: request.file, programHash, findings }, signal);
  return { ...told, program_save: saved, saved_to_program: 'program' in saved ? saved.program : null };
}

type Consultation = ModelAnswer | { ok: false; skipped: true; reason: string };

async function consult(
  { model, clock }: Performer,
  { document, jpeg }: Examination,
  signal?: AbortSignal,
): Promise<Consultation> {
  const skip = (reason: string): Consultation => ({ ok: false, skipped: true, reason });
  if (!model) return skip('llm_not_configured');
  if (document.recommendation !== 'send_thumbnail_to_llm') return skip('not_worth_asking');
  if (!jpeg) return skip('no_thumbnail');
  return askModel(model, { jpeg, locale: document.locale, signal }, clock);
}
