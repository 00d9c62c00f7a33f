import type { EventBody } from '../../events/event.ts';
import type { InstructionOf } from '../../program/instruction.ts';
import { RunFault } from '../../rig/fault.ts';
import type { Command, Flow } from '../../run/command.ts';
import { durationMs } from '../../run/duration-ms.ts';
import type { Prompt } from '../../run/options.ts';
import { type PromptQuestion, readAnswer } from '../../run/prompt-answer.ts';
import { setVariable } from '../../run/set-variable.ts';
import { abortable, TimeLimit } from '../../run/time-limit.ts';
import { givenVariable } from '../../run/variables.ts';
import { formatDuration } from '../../values/duration.ts';

/** Just below the longest timer (24.8 days); goal and run time out first. */
const LONGEST_TIMER_MS = 24 * 24 * 3_600_000;

type PromptInstruction = InstructionOf<'prompt'>;
type PromptEvent = Extract<EventBody, { type: 'prompt' }>;

/**
 * PROMPT, `TASK ... CONFIRM`, `Operator.confirm`: waits for a person. The command time-out does not count here; the
 * time-outs of goal and run, the prompt's own, a stop and a lost lease end the wait at once (LANG-080).
 */
export async function ask(instruction: PromptInstruction, command: Command): Promise<Flow> {
  const { run } = command;
  const question = questionOf(instruction, command);
  if (instruction.task) command.emit({ type: 'log', level: 'task', message: question.message });
  const emitPrompt = (action: PromptEvent['action'], answer: string | null = null): void => {
    const { n, message, asks, choices, timeoutMs } = question;
    command.emit({ type: 'prompt', n, action, message, asks, choices, timeoutMs, answer });
  };
  const { onPrompt } = run.settings;
  if (!onPrompt)
    throw new RunFault(
      'SCN411',
      `there is no operator to answer "${question.message}": run the scenario on a terminal or through svc-server`,
    );
  emitPrompt('open');
  const answer = await answerTo(question, onPrompt, emitPrompt, command);
  emitPrompt(answer === undefined ? 'timeout' : 'answered', answer ?? null);
  const isNo = answer === undefined || (question.asks === 'confirmation' && answer === 'no');
  judge(instruction, question, answer, isNo, command);
  if (isNo) return refused(instruction, question, answer, command);
  if (question.name !== null) {
    setVariable(question.name, givenVariable(answer), command);
  }
  return undefined;
}

function questionOf({ message, asks, choices, name, timeoutMs, task }: PromptInstruction, command: Command) {
  const { run } = command;
  const variable = name === undefined ? null : name.includes('$') ? run.strictText(name) : name;
  if (variable !== null) command.about(variable);
  const texts = choices.map((choice) => run.text(choice).trim());
  const seen = new Set<string>();
  const unclear = texts.find((one) => one === '' || seen.size === seen.add(one).size);
  if (unclear !== undefined)
    throw new RunFault('SCN263', `the choice "${unclear}" is empty or duplicated; correct its variables`);
  const ms = timeoutMs === undefined ? null : durationMs(timeoutMs, run);
  if (ms === 0) throw new RunFault('SCN126', 'TIMEOUT is 0; it must be above 0');
  const text = run.text(message);
  return { n: ++run.prompts, message: text, asks, choices: texts, name: variable, task, timeoutMs: ms };
}

/** @returns the answer; undefined when none came in time */
async function answerTo(
  question: PromptQuestion,
  onPrompt: Prompt,
  emitPrompt: (action: PromptEvent['action']) => void,
  { run, goal }: Command,
): Promise<string | undefined> {
  const { timeoutMs } = question;
  const late = new RunFault('SCN414', `no answer to "${question.message}"`);
  const ms = timeoutMs === null ? undefined : Math.min(timeoutMs, LONGEST_TIMER_MS);
  const limit = new TimeLimit([goal.signal], run.clock, ms, () => late);
  let again: string | undefined;
  try {
    for (;;) {
      const said = await abortable(onPrompt(question, { signal: limit.signal, again }), limit.signal);
      if (said === null)
        throw new RunFault('SCN411', `no answer to "${question.message}" is possible: the input has ended`);
      const text = typeof said === 'boolean' ? (said ? 'yes' : 'no') : said;
      const read = readAnswer(question, text);
      if ('answer' in read) return read.answer;
      again = read.fault;
      emitPrompt('again');
    }
  } catch (thrown) {
    if (thrown === late) return undefined;
    emitPrompt('cancelled');
    throw thrown;
  } finally {
    limit.end();
  }
}

/** With ELSE ERROR a prompt is a visual check: a yes is a verdict too. */
function judge(
  instruction: PromptInstruction,
  { message }: PromptQuestion,
  answer: string | undefined,
  isNo: boolean,
  { run, goal }: Command,
): void {
  const fails = instruction.otherwise?.find((one) => one.op === 'fail-goal');
  if (!fails) return;
  goal.judge(
    {
      kind: 'PROMPT',
      sensor: null,
      op: '=',
      low: null,
      high: null,
      actual: answer ?? null,
      unit: null,
      outcome: isNo ? 'failed' : 'passed',
      message: isNo ? run.text(fails.message) : message,
    },
    instruction,
    [],
  );
}

/** The answer no, or no answer in time: the ELSE branch, or else an error that ends the goal. */
async function refused(
  { otherwise }: PromptInstruction,
  { message, timeoutMs }: PromptQuestion,
  answer: string | undefined,
  command: Command,
): Promise<Flow> {
  command.goal.declined ??= message;
  if (otherwise) return command.body(otherwise);
  if (answer !== undefined) throw new RunFault('SCN413', `the operator answered no to "${message}"`);
  throw new RunFault('SCN414', `no answer to "${message}" within ${formatDuration(timeoutMs ?? 0)}`);
}
