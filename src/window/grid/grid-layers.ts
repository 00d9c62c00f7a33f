import type { Pixels } from '../image/pixels.ts';
import { LAYER, rectangle } from '../program/build-program.ts';
import type { Layer } from '../program/schema.ts';
import { cellBox, cellsOf } from './cells.ts';
import { mergedCells } from './merge-cells.ts';

const FILLED = { fill: true, stroke_width: 0 };

/** A picture as coloured rectangles: `screen_regions`, and the single cells as `grid` when they are asked for. */
export function gridLayers(pixels: Pixels, grid: number, withCells: boolean): Layer[] {
  const cells = cellsOf(pixels, grid);
  const regions: Layer = {
    id: LAYER.regions,
    visible: true,
    objects: mergedCells(cells).map(({ box, color }, index) =>
      rectangle(`region_${index + 1}`, box, { color, ...FILLED }),
    ),
  };
  if (!withCells) return [regions];
  const columns = cells.xs.length - 1;
  const single: Layer = {
    id: LAYER.cells,
    visible: true,
    objects: cells.colors.map((color, index) => {
      const [column, row] = [index % columns, Math.floor(index / columns)];
      return rectangle(`cell_${row}_${column}`, cellBox(cells, column, row), { color, ...FILLED });
    }),
  };
  return [regions, single];
}
