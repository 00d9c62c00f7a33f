import type { BlockKind } from './node.ts';

/** Block headers; TEST is GOAL. */
export const BLOCK_KINDS: ReadonlyMap<string, BlockKind> = new Map([
  ['GOAL', 'GOAL'],
  ['TEST', 'GOAL'],
  ['CONFIG', 'CONFIG'],
  ['MACRO', 'MACRO'],
  ['FUNC', 'FUNC'],
  ['HARDWARE', 'HARDWARE'],
  ['EVENT', 'EVENT'],
]);

/** Known metadata keys; other keys are kept and reported (SCN104). */
export const METADATA_KEYS: ReadonlySet<string> = new Set([
  'VERSION',
  'SCENARIO',
  'DEVICE',
  'DEVICE_TYPE',
  'DEVICE_MODEL',
  'MANUFACTURER',
  'CATEGORY',
  'DESCRIPTION',
  'AUTHOR',
  'TAGS',
]);

/** Parts of the @-form that are kept as sections. */
export const SECTION_NAMES: ReadonlySet<string> = new Set([
  'OUTPUTS',
  'SENSORS',
  'META',
  'VALIDATION_MODES',
  'INTERVALS',
]);

/** Attributes of an @-form goal. */
export const ATTRIBUTE_NAMES: ReadonlySet<string> = new Set([
  'description',
  'editable',
  'alarm',
  'intervals',
]);

export const HIGHEST_VERSION = 5;
export const DEFAULT_VERSION = 3;

/** Operators as written, and their meaning. `∈` is a range. */
export const OPERATORS: ReadonlyMap<string, '<' | '<=' | '>' | '>=' | '=' | '!=' | '∈'> = new Map([
  ['<', '<'],
  ['<=', '<='],
  ['≤', '<='],
  ['>', '>'],
  ['>=', '>='],
  ['≥', '>='],
  ['=', '='],
  ['==', '='],
  ['!=', '!='],
  ['≠', '!='],
  ['∈', '∈'],
]);
