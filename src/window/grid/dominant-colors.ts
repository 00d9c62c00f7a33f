import type { Program } from '../program/schema.ts';

const MOST = 8;

/** Colours of a program's objects, those that cover most first; `#RRGGBB`. */
export function dominantColors({ scene }: Program): string[] {
  const areas = new Map<string, number>();
  for (const layer of scene.layers)
    for (const { style, primitives } of layer.objects) {
      if (!style?.color) continue;
      const color = style.color.toUpperCase();
      const area = primitives.reduce(
        (sum, { params }) => sum + (params.width ?? 0) * (params.height ?? 0),
        0,
      );
      areas.set(color, (areas.get(color) ?? 0) + area);
    }
  return [...areas]
    .sort(([a, areaA], [b, areaB]) => areaB - areaA || (a < b ? -1 : 1))
    .slice(0, MOST)
    .map(([color]) => color);
}
