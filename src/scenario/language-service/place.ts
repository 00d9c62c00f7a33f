import type { Pos } from '../source/position.ts';
import type { Analysis } from './analysis.ts';
import type { TextRange } from './source-text.ts';

/** A range in the text or in a file that it includes. */
export interface Place extends TextRange {
  readonly file: string;
}

/** The place of a position; undefined for a file whose text is not known. */
export function placeOf({ sources }: Analysis, pos: Pos): Place | undefined {
  const source = sources.get(pos.file);
  return source && { file: pos.file, ...source.range(pos) };
}

export const contains = ({ from, to }: TextRange, offset: number): boolean => from <= offset && offset <= to;
