// The one program of the guest: answers each question of the test with one line of JSON, and ends when it hears no more.
import { createInterface } from 'node:readline';
import { systemClock } from '../../../src/lib/clock/clock.ts';
import { messageOf } from '../../../src/lib/errors/coded-error.ts';
import { commands } from './commands.ts';
import type { Answer, Question, Refusal } from './protocol.ts';

/** A guest whose test has died switches itself off after that. */
const SILENCE_MS = 120_000;

const table: Partial<Record<string, (...args: never[]) => unknown>> = commands(systemClock);

async function answer({ id, command, args }: Question): Promise<Answer> {
  try {
    const work = table[command];
    if (!work) throw new Error(`the guest knows no "${command}"`);
    return { id, ok: true, value: (await work(...(args as never[]))) ?? null };
  } catch (error) {
    return { id, ok: false, error: refusal(error) };
  }
}

function refusal(error: unknown): Refusal {
  const { code = 'no_code', reason } = error as { code?: unknown; reason?: unknown };
  return {
    code: String(code),
    message: messageOf(error),
    reason: reason === undefined ? null : String(reason),
  };
}

const tell = (line: Answer) => process.stdout.write(`${JSON.stringify(line)}\n`);

const giveUp = () => process.exit(1);
let cancel = systemClock.after(SILENCE_MS, giveUp);

createInterface({ input: process.stdin })
  .on('line', async (line) => {
    cancel();
    cancel = systemClock.after(SILENCE_MS, giveUp);
    tell(await answer(JSON.parse(line) as Question));
  })
  .once('close', giveUp);

tell({ id: 0, ok: true, value: process.version });
