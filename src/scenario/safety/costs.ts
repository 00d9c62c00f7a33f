import type { Instruction } from '../program/instruction.ts';
import type { Condition, Operand, Subject } from '../program/operand.ts';
import type { Timeouts } from '../run/timeouts.ts';

/** Of one call of the bridge; of a lung call, ms (language specification, section 11). */
const CALL_MS = 5000;
const LUNG_CALL_MS = 10_000;
/** Pauses, loops and bodies are counted where they are walked through; the rest takes no time worth counting. */
const NO_TIME = 0;

/** The longest time that an instruction may take by itself, its pauses and bodies apart, ms. */
export function longestMs(instruction: Instruction, timeouts: Timeouts): number {
  // Pauses are exempt from the command time-out; all else ends with it.
  const capped = (ms: number) => Math.min(ms, timeouts.commandMs);
  switch (instruction.op) {
    case 'actuate':
      // Twice: a mirrored state, or a lung that the bridge does not know and its service does.
      return capped(2 * (instruction.peripheral === 'lung' ? LUNG_CALL_MS : CALL_MS));
    case 'read':
    case 'save':
    case 'assert-sensor':
    case 'assert-valve':
    case 'expect-device':
    case 'expect-i2c-bus':
    case 'expect-i2c-chip':
      return capped(2 * CALL_MS);
    case 'check':
    case 'gate':
      return capped(readsMs(instruction.condition));
    case 'loop':
      return instruction.condition ? capped(readsMs(instruction.condition)) : NO_TIME;
    case 'wait-until':
      // The last look begins before the time-out.
      return timeouts.commandMs + capped(readsMs(instruction.condition));
    case 'delta':
      return 2 * CALL_MS;
    case 'sample':
      return instruction.action === 'stop' ? capped(2 * CALL_MS) : NO_TIME;
    case 'api':
      return capped(instruction.method === 'GET' ? 6 * CALL_MS : CALL_MS);
    case 'prompt':
      // A TIMEOUT is counted where it is walked through; without one the time-out of the goal ends it.
      return timeouts.goalMs;
    case 'step':
    case 'wait':
    case 'call':
    case 'repeat':
    case 'if-fail':
    case 'goto':
    case 'fail-goal':
    case 'set-parameter':
    case 'set-variable':
    case 'calc':
    case 'save-json':
    case 'bound':
    case 'log':
    case 'verdict-text':
    case 'assert-status':
    case 'assert-json':
    case 'export':
    case 'unknown-target':
    case 'unknown-macro':
    case 'not-executable':
    case 'no-effect':
      return NO_TIME;
    default:
      // A new instruction does not compile until its time is counted.
      return instruction satisfies never;
  }
}

/** A read that got no answer is repeated once. */
const readsMs = (condition: Condition): number => 2 * CALL_MS * readings(condition);

function readings(condition: Condition): number {
  if (condition.kind === 'all' || condition.kind === 'any')
    return condition.parts.reduce((sum, part) => sum + readings(part), 0);
  if (condition.kind === 'range') return readingOf(condition.subject);
  return readingOf(condition.left) + readingOf(condition.right);
}

const readingOf = (operand: Operand): number =>
  operand.kind === 'subject' || operand.kind === 'change' ? Number(isMeasured(operand.subject)) : 0;

const isMeasured = ({ kind }: Subject): boolean => kind === 'sensor' || kind === 'unknown';
