import { pathToFileURL } from 'node:url';
import type { Box } from '../compare/box.ts';
import type { Layer, Metadata, Program, Relation, SceneObject } from './schema.ts';

/** Layers that operations of this service make; an operation replaces them and leaves others alone. */
export const LAYER = { regions: 'screen_regions', cells: 'grid', elements: 'ui_elements' } as const;
const OURS: readonly string[] = Object.values(LAYER);

export interface NewScene {
  image: string;
  width: number;
  height: number;
  background: string;
  layers: Layer[];
  /** Direct parents; undefined where the operation knows none. */
  relations?: Relation[];
  metadata: Metadata;
}

/** A rectangle of the picture as an object. */
export function rectangle(
  id: string,
  { x0, y0, x1, y1 }: Box,
  style: { color: string; fill: boolean; stroke_width: number },
  metadata?: Record<string, unknown>,
): SceneObject {
  return {
    id,
    primitives: [{ shape_type: 'rectangle', params: { x: x0, y: y0, width: x1 - x0, height: y1 - y0 } }],
    style: { ...style, opacity: 1 },
    center_x: (x0 + x1) / 2,
    center_y: (y0 + y1) / 2,
    ...(metadata ? { metadata } : {}),
  };
}

/** The program of a picture. Of a former one all keys stay that we do not know, and all layers that are not ours. */
export function buildProgram(scene: NewScene, former?: Program): Program {
  const foreignLayers = former?.scene.layers.filter(({ id }) => !OURS.includes(id)) ?? [];
  const foreignRelations = former?.scene.relations?.filter(({ kind }) => kind !== 'contains') ?? [];
  return {
    ...former,
    version: '1.0',
    render_target: former?.render_target ?? 'svg',
    scene: {
      ...former?.scene,
      width: scene.width,
      height: scene.height,
      background: scene.background,
      url: pathToFileURL(scene.image).href,
      app: 'desktop',
      layers: [...scene.layers, ...foreignLayers],
      relations: [...(scene.relations ?? []), ...foreignRelations],
    },
    validation: former?.validation ?? null,
    metadata: { ...former?.metadata, ...scene.metadata },
  };
}

export function objectCount({ scene }: Program): number {
  return scene.layers.reduce((sum, { objects }) => sum + objects.length, 0);
}

/** Objects up to which a program is written for people to read; a grid of 256 cells a side has a hundred thousand. */
const MOST_INDENTED = 2000;

export function programText(program: Program): string {
  const indent = objectCount(program) <= MOST_INDENTED ? 2 : 0;
  return `${JSON.stringify(program, null, indent)}\n`;
}
