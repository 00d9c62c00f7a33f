import * as z from 'zod';
import type { Operation } from '../../window/operations/request.ts';
import { fingerprintSchema } from '../../window/program/schema.ts';

/* What the operations answer, for the description; the documents themselves are made in src/window/operations. */

const box = z.tuple([z.int(), z.int(), z.int(), z.int()]);
const skipped = z.array(z.object({ part: z.string(), reason: z.string() }));
const hits = z.record(z.string(), z.unknown());
const counts = z.record(z.string(), z.int());
const recommendation = z.enum([
  'skip_unchanged_screen',
  'send_thumbnail_to_llm',
  'skip_llm_blank_capture',
  'use_vql_grid_only',
]);
const hint = z.looseObject({
  send_to_llm: z.boolean(),
  confidence: z.number(),
  reasons: z.array(z.object({ code: z.string(), points: z.number(), text: z.string() })),
  recommendation,
});
const region = z.object({ bbox: box, x: z.int(), y: z.int(), width: z.int(), height: z.int() });
const similarity = z.object({
  match: z.boolean(),
  same_size: z.boolean(),
  phash_distance: z.int(),
  dhash_distance: z.int(),
  whash_distance: z.int(),
  color_distance: z.int(),
  color_threshold: z.int(),
  tiles_changed: z.int().nullable(),
  tiles_total: z.int(),
  unchanged_share: z.number().nullable(),
  flat: z.boolean(),
});
const element = z.object({
  id: z.string(),
  role: z.string(),
  bbox: box,
  bbox_norm: z.array(z.number()),
  center: z.object({ x: z.number(), y: z.number() }),
  width: z.int(),
  height: z.int(),
  color: z.string(),
  confidence: z.number(),
  label: z.string(),
  text: z.string().nullable(),
  location: z.string(),
  parent: z.string().nullable(),
  metadata: z.object({
    source: z.string(),
    text_reason: z
      .enum(['display_unsure', 'number_unsure', 'several_lines', 'alphabet_unknown', 'text_unsure'])
      .optional(),
  }),
});
const layers = z.array(z.object({ id: z.string(), objects: z.int() }));
const ok = z.literal(true);

export const ANSWERS: Readonly<Record<Operation, z.ZodType>> = {
  detect: z.object({
    ok,
    path: z.string(),
    width: z.int(),
    height: z.int(),
    element_count: z.int(),
    by_role: counts,
    elements: z.array(element),
    description: z.string(),
    skipped,
  }),
  compare: z.object({
    ok,
    match: z.boolean(),
    changed_regions: z.array(region),
    phash_distance: z.int(),
    hash_threshold: z.int(),
    scene_class: z.string(),
    reference_phash: z.string().nullable(),
    current_phash: z.string(),
    similarity,
    special_hits: hits,
    vql_program: z.string(),
    image: z.string(),
    skipped,
  }),
  refresh: z.object({
    ok,
    program: z.string(),
    image: z.string(),
    unchanged: z.boolean().nullable(),
    metadata: z.record(z.string(), z.unknown()),
    fingerprint: fingerprintSchema,
    special_hits: hits,
    scene_class: z.string(),
    similarity: similarity.nullable(),
    vql_program: z.string(),
    skipped,
  }),
  diagnose: z.object({
    ok,
    path: z.string(),
    text: z.string(),
    thumbnail: z.string().nullable(),
    features: z.record(z.string(), z.unknown()),
    llm_hint: hint,
    width: z.int(),
    height: z.int(),
    locale: z.string(),
    recommendation,
    scene_class: z.string(),
    special_hits: hits,
    similarity: z.looseObject({ match: z.boolean(), changed_regions: z.array(region) }).optional(),
    llm: z.looseObject({ ok: z.boolean() }),
    program_save: z.object({ ok, program: z.string(), keys: z.array(z.string()) }).optional(),
    saved_to_program: z.string().optional(),
    skipped,
  }),
  analyze: z.object({
    ok,
    /** null: no file was named, nothing was written, and `document` is the program. */
    program: z.string().nullable(),
    document: z.record(z.string(), z.unknown()).optional(),
    image: z.string(),
    object_count: z.int(),
    dominant_colors: z.array(z.string()),
    fingerprint: fingerprintSchema,
    special_hits: hits,
    scene_class: z.string(),
    similarity: similarity.nullable(),
    scene: z.object({ width: z.number(), height: z.number() }),
    image_stats: z.record(z.string(), z.unknown()),
    skipped_adopt: z.boolean(),
    recommendation,
    skipped,
  }),
  adopt: z.object({
    ok,
    path: z.string(),
    program: z.string(),
    element_count: z.int(),
    by_role: counts,
    description: z.string(),
    elements: z.array(element),
    object_count: z.int(),
    scene: z.looseObject({ width: z.number(), height: z.number(), layers }),
    fingerprint: fingerprintSchema,
    scene_class: z.string(),
    llm_hint: hint,
    skipped,
  }),
  summary: z.object({
    ok,
    file: z.string(),
    scene: z.object({
      width: z.number(),
      height: z.number(),
      app: z.string().nullable(),
      url: z.string().nullable(),
      layers,
    }),
    object_count: z.int(),
    dominant_colors: z.array(z.string()),
    fingerprint: fingerprintSchema.nullable(),
    special_hits: hits.nullable(),
    scene_class: z.string().nullable(),
    llm_hint: z.record(z.string(), z.unknown()).nullable(),
    similarity: similarity.nullable(),
    diagnose_recommendation: z.string().nullable(),
    diagnosed_at: z.string().nullable(),
    image: z.string().nullable(),
    analyzed_at: z.string().nullable(),
    refreshed: z.boolean(),
    skipped,
  }),
};
