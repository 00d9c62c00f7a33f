import type { Instruction } from '../../program/instruction.ts';
import { RunFault, toFault } from '../../rig/fault.ts';
import type { Command } from '../command.ts';
import { shellLine } from '../shell-quote.ts';

const EXPORT_NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;

/** API_GET and the like: a real request. What it answered is for ASSERT_ to judge. */
export async function api(
  { method, path, body }: Extract<Instruction, { op: 'api' }>,
  command: Command,
): Promise<void> {
  const { run } = command;
  const fullPath = path.includes('$') ? run.strictText(path) : path;
  command.about(fullPath);
  run.lastAnswer = undefined;
  const json =
    body === undefined ? {} : { body: parseBody(body.includes('$') ? run.strictText(body) : body) };
  try {
    run.lastAnswer = await command.timed((signal) =>
      run.rig.call({ method, path: fullPath, ...json }, signal),
    );
  } catch (thrown) {
    const fault = toFault(thrown);
    // Other methods may have moved an actuator, and nobody knows.
    throw method === 'GET' || fault.scn === 'SCN260' ? fault : fault.endingRun();
  }
}

function parseBody(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new RunFault('SCN261', `the body is no JSON: ${text.slice(0, 80)}`, { cause });
  }
}

/** SHELL_EXPORT */
export async function exportValue(
  { name, value }: Extract<Instruction, { op: 'export' }>,
  command: Command,
): Promise<void> {
  const { run } = command;
  const key = name.includes('$') ? run.strictText(name) : name;
  if (!EXPORT_NAME.test(key))
    throw new RunFault('SCN262', `"${key}" is no shell variable name; use letters, digits and _`);
  const text = run.text(value);
  run.exports[key] = text;
  command.message = shellLine(key, text);
}
