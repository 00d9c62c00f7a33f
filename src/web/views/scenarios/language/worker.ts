import { LanguageHost } from './language-host.ts';
import type { Answer, Question } from './protocol.ts';

/** The thread that checks texts, so that typing never waits for it. */
const host = new LanguageHost();

addEventListener('message', ({ data: { id, method, params } }: MessageEvent<Question>) => {
  let answer: Answer;
  try {
    answer = { id, answer: host.answer(method, params) };
  } catch (thrown) {
    answer = { id, fault: thrown instanceof Error ? thrown.message : String(thrown) };
  }
  postMessage(answer);
});
