import type { Clock } from '../../lib/clock/clock.ts';
import { messageOf } from '../../lib/errors/coded-error.ts';
import { type Program, programFaults } from '../program/schema.ts';

export interface ModelSettings {
  /** Of an OpenAI-style server, with its version: `http://127.0.0.1:8080/v1`. */
  baseUrl: string;
  model: string;
  key?: string | undefined;
  timeoutMs: number;
}

export type ModelAnswer =
  | { ok: true; model: string; text: string; program?: Program }
  | { ok: false; model: string; reason: ModelFault; error: string };

export type ModelFault = 'llm_timeout' | 'llm_unreachable' | 'llm_refused' | 'llm_answer_invalid';

/** Of an answer, characters. */
const MAX_ANSWER = 1024 * 1024;

const TASK =
  'You see a screenshot. Answer with one JSON object: {"text": "what the screen shows and what can be done on it, in the ' +
  'language {locale}", "program": an optional visual program, version "1.0"}. No other text.';

/**
 * Shows a picture to a language model. Whatever goes wrong is told in the answer: a diagnosis is good without a model.
 * The key is in no message.
 */
export async function askModel(
  { baseUrl, model, key, timeoutMs }: ModelSettings,
  { jpeg, locale, signal }: { jpeg: Uint8Array; locale: string; signal?: AbortSignal | undefined },
  clock: Clock,
): Promise<ModelAnswer> {
  const failed = (reason: ModelFault, error: string): ModelAnswer => ({ ok: false, model, reason, error });
  const timeout = new AbortController();
  const cancel = clock.after(timeoutMs, () => timeout.abort());
  try {
    const response = await fetch(`${baseUrl.replace(/\/+$/, '')}/chat/completions`, {
      method: 'POST',
      // The key is for this server and for no other one that it may name.
      redirect: 'error',
      headers: { 'content-type': 'application/json', ...(key ? { authorization: `Bearer ${key}` } : {}) },
      signal: signal ? AbortSignal.any([timeout.signal, signal]) : timeout.signal,
      body: JSON.stringify(question(model, jpeg, locale)),
    });
    if (!response.ok) {
      await response.body?.cancel();
      return failed('llm_refused', `the language model answered with status ${response.status}`);
    }
    return judged(model, await boundedText(response));
  } catch (thrown) {
    if (timeout.signal.aborted)
      return failed('llm_timeout', `no answer of the language model within ${timeoutMs} ms`);
    if (thrown instanceof AnswerFault) return failed('llm_answer_invalid', thrown.message);
    const cause = thrown instanceof Error && thrown.cause instanceof Error ? `: ${thrown.cause.message}` : '';
    return failed(
      'llm_unreachable',
      `the language model cannot be asked: ${hidden(messageOf(thrown) + cause, key)}`,
    );
  } finally {
    cancel();
  }
}

class AnswerFault extends Error {}

function question(model: string, jpeg: Uint8Array, locale: string) {
  const url = `data:image/jpeg;base64,${Buffer.from(jpeg).toString('base64')}`;
  return {
    model,
    temperature: 0,
    messages: [
      {
        role: 'user',
        content: [
          { type: 'text', text: TASK.replace('{locale}', locale) },
          { type: 'image_url', image_url: { url } },
        ],
      },
    ],
  };
}

async function boundedText(response: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const piece of response.body ?? []) {
    text += decoder.decode(piece, { stream: true });
    if (text.length > MAX_ANSWER) throw new AnswerFault(`the answer is longer than ${MAX_ANSWER} characters`);
  }
  return text + decoder.decode();
}

/** @throws AnswerFault */
function judged(model: string, body: string): ModelAnswer {
  const content = contentOf(parsed(body));
  if (content === undefined) throw new AnswerFault('the answer has no choices[0].message.content');
  const unfenced = /^\s*```(?:json)?\s*\n([\s\S]*?)\n?```\s*$/.exec(content)?.[1] ?? content;
  const document = parsed(unfenced);
  if (!isRecord(document)) {
    const text = content.trim();
    if (text === '') throw new AnswerFault('the answer is empty');
    return { ok: true, model, text };
  }
  // Some send the program alone.
  const program = 'scene' in document ? document : (document.program ?? undefined);
  const text = typeof document.text === 'string' ? document.text.trim() : '';
  if (program === undefined && text === '') throw new AnswerFault('the answer has neither text nor program');
  if (program === undefined) return { ok: true, model, text };
  const [fault] = programFaults(program);
  if (fault) throw new AnswerFault(`its program is not valid: ${fault.path}: ${fault.message}`);
  return { ok: true, model, text, program: program as Program };
}

function contentOf(document: unknown): string | undefined {
  if (!isRecord(document) || !Array.isArray(document.choices)) return undefined;
  const [choice] = document.choices as unknown[];
  if (!isRecord(choice) || !isRecord(choice.message)) return undefined;
  return typeof choice.message.content === 'string' ? choice.message.content : undefined;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function hidden(text: string, key: string | undefined): string {
  return key ? text.replaceAll(key, '***') : text;
}
