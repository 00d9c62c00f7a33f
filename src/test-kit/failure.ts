import { inspect } from 'node:util';
import { compare } from 'uvu/diff';
import type { Failure } from './events.ts';

/** Frames that say nothing about the test: Node's internals, uvu and what stands around it. */
const FOREIGN_FRAME =
  /[ (](node:|.*node_modules\/(uvu|tsx|esbuild)\/|.*\/lib\/testing\/(suite|deadline|child)\.ts:)/;

/** Describes anything that was thrown, with the difference of an assertion and the chain of causes. */
export function describeFailure(thrown: unknown): Failure {
  if (!(thrown instanceof Error)) return { message: `threw ${inspect(thrown)}` };
  const details = differenceOf(thrown);
  return {
    message: thrown.name.startsWith('Assertion') ? thrown.message : `${thrown.name}: ${thrown.message}`,
    ...(details ? { details } : {}),
    stack: stackOf(thrown),
  };
}

interface Assertion extends Error {
  details?: unknown;
  operator?: unknown;
  actual?: unknown;
  expected?: unknown;
}

function differenceOf(error: Assertion): string | undefined {
  if (typeof error.details === 'string') return error.details;
  const fromNode = error.name.startsWith('AssertionError') && 'expected' in error;
  return fromNode && !String(error.operator).includes('not')
    ? compare(error.actual, error.expected)
    : undefined;
}

function stackOf(error: Error): string {
  const stack = error.stack ?? '';
  // The message stands in front of the frames and may have lines that look like them.
  const frames = stack
    .slice(Math.max(0, stack.indexOf(error.message)) + error.message.length)
    .split('\n')
    .filter((line) => /^\s*at /.test(line) && !FOREIGN_FRAME.test(line));
  const cause = error.cause === undefined ? [] : [`caused by ${causeOf(error.cause)}`];
  return [...frames.map((line) => line.trim()), ...cause].join('\n');
}

function causeOf(cause: unknown): string {
  if (!(cause instanceof Error)) return inspect(cause);
  return [`${cause.name}: ${cause.message}`, stackOf(cause)].join('\n');
}
