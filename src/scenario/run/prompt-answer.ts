/** What a person is asked. */
export interface PromptQuestion {
  /** 1, 2, 3... in the run. */
  readonly n: number;
  readonly message: string;
  readonly asks: 'confirmation' | 'choice' | 'value';
  /** Empty unless a choice is asked for. */
  readonly choices: readonly string[];
  /** The variable that takes the answer. */
  readonly name: string | null;
  /** The message is an instruction, to be confirmed. */
  readonly task: boolean;
  /** Null: only goal and run time-out end it. */
  readonly timeoutMs: number | null;
}

/** An answer as it counts (`yes`, `no`, the choice, the text), or why it is none. */
export type ReadAnswer = { readonly answer: string } | { readonly fault: string };

const YES = /^(y|yes|t|tak)$/i;
const NO = /^(n|no|nie)$/i;
const CONTROL = /\p{Cc}/u;
const LONGEST = 1000;

/** Reads what was typed or sent (LANG-080). What is not an answer is asked for again. */
export function readAnswer({ asks, choices }: PromptQuestion, said: string): ReadAnswer {
  const text = said.trim();
  if (asks === 'confirmation') {
    if (YES.test(text)) return { answer: 'yes' };
    if (NO.test(text)) return { answer: 'no' };
    return { fault: `"${text}" is neither yes nor no; answer y, yes, t, tak or n, no, nie` };
  }
  if (asks === 'value') {
    if (text === '') return { fault: 'the answer is empty; write a text or a quantity' };
    if (text.length > LONGEST) return { fault: `the answer is longer than ${LONGEST} characters` };
    if (CONTROL.test(text))
      return { fault: 'the answer contains control characters; write one line of text' };
    return { answer: text };
  }
  const exact = choices.find((choice) => choice === text);
  const chosen = exact ?? choices.find((choice) => choice.toLowerCase() === text.toLowerCase());
  // A choice may be a number itself: its text comes first.
  const numbered = /^\d{1,4}$/.test(text) ? choices[Number(text) - 1] : undefined;
  const answer = chosen ?? numbered;
  if (answer !== undefined) return { answer };
  const list = choices.map((choice, i) => `${i + 1} ${choice}`).join(', ');
  return { fault: `"${text}" is not one of the choices; answer with a text or number from: ${list}` };
}
