import type { FileAccess } from '../image/file-access.ts';
import { MAX_PROGRAM_BYTES } from '../image/limits.ts';
import { WindowError } from '../window-error.ts';
import { type Program, programFaults } from './schema.ts';

/** A program as it was found in its file. */
export interface StoredProgram {
  /** Absolute, as asked for. */
  path: string;
  text: string;
  /** With every key of the file, also those that we do not know. */
  program: Program;
}

/** @throws WindowError `program_not_found`, `program_invalid`, `path_refused` */
export async function readProgram(access: FileAccess, path: string): Promise<StoredProgram> {
  const { path: absolute, text } = await readText(access, path);
  return { path: absolute, text, program: parseProgram(absolute, text) };
}

/** Undefined when there is no such file. @throws WindowError `program_invalid`, `path_refused` */
export async function readProgramIfThere(
  access: FileAccess,
  path: string,
): Promise<StoredProgram | undefined> {
  try {
    return await readProgram(access, path);
  } catch (thrown) {
    if (thrown instanceof WindowError && thrown.code === 'program_not_found') return undefined;
    throw thrown;
  }
}

/** @throws WindowError `program_not_found`, `program_invalid`, `path_refused` */
export async function readText(access: FileAccess, path: string): Promise<{ path: string; text: string }> {
  const file = await access.open(path, 'program_not_found');
  try {
    if (file.size > MAX_PROGRAM_BYTES)
      throw invalid(file.path, '$', `is larger than ${MAX_PROGRAM_BYTES} bytes`);
    const bytes = await file.handle.readFile();
    try {
      return {
        path: file.path,
        text: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes),
      };
    } catch (cause) {
      throw invalid(file.path, '$', 'is not a text in UTF-8', cause);
    }
  } finally {
    await file.handle.close();
  }
}

/** @throws WindowError `program_invalid` */
export function parseProgram(path: string, text: string): Program {
  let document: unknown;
  try {
    document = JSON.parse(text.replace(/^\ufeff/, ''));
  } catch (cause) {
    // The engine's own sentence quotes the file, which may be none of ours to show.
    const position = /position (\d+)/.exec(String(cause))?.[1];
    throw invalid(
      path,
      '$',
      `is not valid JSON${position === undefined ? '' : ` (at character ${position})`}`,
      cause,
    );
  }
  const [first, ...more] = programFaults(document);
  if (first) {
    const rest = more.length > 0 ? ` (and ${more.length} more)` : '';
    throw invalid(path, first.path, `${first.message}${rest}`);
  }
  return document as Program;
}

export function invalid(path: string, jsonPath: string, why: string, cause?: unknown): WindowError {
  return new WindowError('program_invalid', `program ${path} is not valid: ${jsonPath}: ${why}`, {
    path,
    json_path: jsonPath,
    cause,
  });
}
