import { programText } from '../program/build-program.ts';
import type { StoredProgram } from '../program/read-program.ts';
import { saveProgram } from '../program/save-program.ts';
import { type Program, programFaults } from '../program/schema.ts';
import type { WindowContext } from './context.ts';

/** Writes a program that an operation has made; what our own schema refuses is never written. */
export async function writeProgram(
  context: WindowContext,
  path: string,
  former: StoredProgram | undefined,
  program: Program,
): Promise<void> {
  const [fault] = programFaults(program);
  if (fault) throw new TypeError(`the program that was made is not valid: ${fault.path}: ${fault.message}`);
  await saveProgram(context, path, former, programText(program));
}
