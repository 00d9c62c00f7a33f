import type { Comparison } from '../compare/compare.ts';
import { setMembers } from '../program/edit-json.ts';
import { parseProgram, readProgram, type StoredProgram } from '../program/read-program.ts';
import { saveProgram } from '../program/save-program.ts';
import type { Program } from '../program/schema.ts';
import { compareWithProgram, similarityDocument } from './compare-with-program.ts';
import { speakerFor, type WindowContext } from './context.ts';
import { type ImageMetadata, imageMetadata } from './metadata.ts';
import { lookAt } from './picture.ts';
import { missingField, type WindowRequest } from './request.ts';

export interface Refreshed {
  path: string;
  program: Program;
  metadata: ImageMetadata;
  /** undefined: there was no fingerprint to compare with. */
  comparison: Comparison | undefined;
}

/** Replaces what a program keeps of its image; every other byte of the file stays. */
export async function refreshProgram(
  context: WindowContext,
  stored: StoredProgram,
  image: string,
  request: WindowRequest,
): Promise<Refreshed> {
  const picture = await lookAt(context, image);
  const comparison = await compareWithProgram(context, stored, picture);
  const metadata = imageMetadata(context, picture, speakerFor(context, request));
  const text = setMembers(stored.text, 'metadata', { ...metadata });
  const program = parseProgram(stored.path, text);
  await saveProgram(context, stored.path, stored, text);
  return { path: stored.path, program, metadata, comparison };
}

export async function refreshOperation(context: WindowContext, request: WindowRequest): Promise<object> {
  if (request.image === undefined) throw missingField('refresh', 'image');
  if (request.file === undefined) throw missingField('refresh', 'file');
  const stored = await readProgram(context.access, request.file);
  const { path, program, metadata, comparison } = await refreshProgram(
    context,
    stored,
    request.image,
    request,
  );
  return {
    ok: true,
    program: path,
    image: metadata.image,
    // Without a fingerprint nobody knows.
    unchanged: comparison ? comparison.match : null,
    metadata: program.metadata,
    fingerprint: metadata.fingerprint,
    special_hits: metadata.special_hits,
    scene_class: metadata.scene_class,
    similarity: comparison ? similarityDocument(comparison) : null,
    vql_program: path,
    skipped: request.skipped,
  };
}
