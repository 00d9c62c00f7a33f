import * as z from 'zod';

const color = z.string().regex(/^#[0-9A-Fa-f]{6}$/, 'must be a colour #RRGGBB');
const hex = (digits: string) => z.string().regex(new RegExp(`^[0-9a-f]${digits}$`), 'must be lower case hex');
const positive = z.number().positive();
const notNegative = z.number().min(0);
const freeObject = z.record(z.string(), z.unknown());
/** `null` stands for absent. */
const maybe = <S extends z.ZodType>(schema: S) => schema.nullable().optional();

export const fingerprintSchema = z.looseObject({
  phash: hex('{16}'),
  dhash: hex('{16}'),
  whash: hex('{16}'),
  /** Mean colours of a 4 x 4 grid. */
  color: hex('{96}'),
  /** Means of small blocks of the image. */
  tiles: hex('+'),
});

const primitive = z.looseObject({
  shape_type: z.enum(['rectangle', 'circle', 'line', 'text', 'path']),
  params: z.looseObject({
    width: notNegative.optional(),
    height: notNegative.optional(),
    x: z.number().optional(),
    y: z.number().optional(),
  }),
});

const style = z.looseObject({
  color: color.optional(),
  fill: z.boolean().optional(),
  stroke_width: notNegative.optional(),
  opacity: z.number().min(0).max(1).optional(),
});

const object = z.looseObject({
  id: z.string().min(1),
  primitives: z.array(primitive),
  style: maybe(style),
  transform: maybe(freeObject),
  center_x: maybe(z.number()),
  center_y: maybe(z.number()),
  anchors: maybe(z.union([freeObject, z.array(z.unknown())])),
  constraints: maybe(z.union([freeObject, z.array(z.unknown())])),
  metadata: maybe(freeObject),
});

const layer = z.looseObject({
  id: z.string().min(1),
  visible: z.boolean().optional(),
  objects: z.array(object),
});

const relation = z.looseObject({
  kind: z.string().min(1),
  source: z.string().min(1),
  target: z.string().min(1),
  args: maybe(z.union([freeObject, z.array(z.unknown())])),
});

const metadata = z.looseObject({
  image: maybe(z.string()),
  analyzed_at: maybe(z.iso.datetime()),
  diagnosed_at: maybe(z.iso.datetime()),
  fingerprint: maybe(fingerprintSchema),
  scene_class: maybe(z.string()),
  special_hits: maybe(freeObject),
  llm_hint: maybe(freeObject),
  grid: maybe(z.int().min(2).max(256)),
  source: maybe(z.string()),
  capture: maybe(freeObject),
});

/** A program document, version "1.0". Keys beyond these are kept as they are. */
export const programSchema = z
  .looseObject({
    version: z.literal('1.0'),
    render_target: z.enum(['svg', 'playwright', 'canvas']),
    scene: z.looseObject({
      width: positive,
      height: positive,
      background: color,
      url: maybe(z.string().regex(/^file:\/\//, 'must begin with file://')),
      app: maybe(z.string()),
      layers: z.array(layer),
      relations: maybe(z.array(relation)),
    }),
    validation: maybe(freeObject),
    metadata: maybe(metadata),
  })
  .meta({ title: 'Visual program', description: 'A screen as layers of drawn objects, version 1.0' });

export type Program = z.output<typeof programSchema>;
export type Layer = z.output<typeof layer>;
export type SceneObject = z.output<typeof object>;
export type Relation = z.output<typeof relation>;
export type Metadata = z.output<typeof metadata>;

/** The same as JSON Schema 2020-12. */
export function programJsonSchema(): object {
  return {
    ...z.toJSONSchema(programSchema, { target: 'draft-2020-12', io: 'input' }),
    $id: 'urn:svc:window:program:1.0',
  };
}

export interface ProgramFault {
  /** JSON path, for example `$.scene.layers[0].id`. */
  path: string;
  message: string;
}

/** All that is wrong with a document; empty when it is a program. */
export function programFaults(document: unknown): ProgramFault[] {
  const result = programSchema.safeParse(document);
  if (result.success) return [];
  return result.error.issues.map((issue) => ({ path: jsonPath(issue.path), message: issue.message }));
}

function jsonPath(keys: readonly PropertyKey[]): string {
  return keys.reduce<string>((path, key) => {
    if (typeof key === 'number') return `${path}[${key}]`;
    return /^[A-Za-z_]\w*$/.test(String(key))
      ? `${path}.${String(key)}`
      : `${path}[${JSON.stringify(String(key))}]`;
  }, '$');
}
