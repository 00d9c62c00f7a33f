import { areaOf, type Box, sharedArea } from '../../window/detect/element.ts';
import type { Pixels } from '../../window/image/pixels.ts';
import { inkBox, withoutGrid } from '../window-training/labels.ts';
import type { TruthItem } from '../window-training/truth-script.ts';
import { splitOf } from './split.ts';

export interface Known {
  id: string;
  family: string;
  page: string;
  source: string;
  kind: 'web' | 'desktop';
  scale: number;
}

/** A screen's truth as `<id>.gt.json` holds it, boxes in pixels of the picture. @param items boxes in units of the page */
export function truthFile(screen: Known, pixels: Pixels, items: readonly TruthItem[]): object {
  const { id, family, page, source, kind, scale } = screen;
  const seen = items.flatMap((item) => {
    const box = scaledBox(item.box, scale, pixels);
    return box && isVisible(pixels, item.class, box) ? [{ item, box }] : [];
  });
  const containers = seen.filter(({ item }) => item.class === 'container').map(({ box }) => box);
  const contents = seen
    .filter(({ item }) => item.class !== 'container' && item.class !== 'inner')
    .map(({ box }) => box);
  /** Painted boxes around it alone are as good as it: a chip, a bar with a title. */
  const altsOf = (box: Edges): Edges[] =>
    containers.filter(
      (outer) => isWithin(box, outer) && contents.filter((one) => sharedArea(one, outer) > 0).length === 1,
    );
  return {
    id,
    image: `${id}.png`,
    split: splitOf(family, page),
    family,
    source,
    kind,
    scale,
    width: pixels.width,
    height: pixels.height,
    items: seen.map(({ item: { class: name, role, tag, text }, box }, i) => {
      const alts = name === 'text' || name === 'interactive' ? altsOf(box).map(asItem) : [];
      return {
        id: i + 1,
        class: CLASSES[name](text),
        box: asItem(box),
        ink: asItem(
          inkBox(pixels, kind === 'desktop' && isBare(name, role) ? withoutGrid(pixels, box) : box),
        ),
        ...(alts.length > 0 ? { alts } : {}),
        ...(role ? { role: seenRole(role, text) } : {}),
        ...(tag ? { tag } : {}),
        ...(text ? { text } : {}),
      };
    }),
  };
}

/** Text and controls of the very colour around them show nowhere: white links on white. */
function isVisible(
  { width, height, data }: Pixels,
  name: TruthItem['class'],
  { x0, y0, x1, y1 }: Edges,
): boolean {
  if (name !== 'text' && name !== 'interactive') return true;
  const [left, top] = [Math.max(0, x0 - 1), Math.max(0, y0 - 1)];
  const first = 3 * (top * width + left);
  for (let y = top; y < Math.min(height, y1 + 1); y++)
    for (let i = 3 * (y * width + left); i < 3 * (y * width + Math.min(width, x1 + 1)); i++)
      if (data[i] !== data[first + ((i - first) % 3)]) return true;
  return false;
}

/** What has no border of its own: lines at its edges are those of a grid. */
const isBare = (name: TruthItem['class'], role: string | undefined): boolean =>
  name === 'text' || role === 'menu';

/** A sign alone, such as a cross or an arrow, looks like an icon, whether it is drawn or written. */
const seenRole = (role: string, text: string | undefined): string =>
  role === 'button' && text !== undefined && !/[\p{L}\p{N}]/u.test(text) ? 'icon_button' : role;

const CLASSES: Readonly<Record<TruthItem['class'], (text: string | undefined) => string>> = {
  interactive: () => 'interactive',
  text: () => 'text',
  graphic: () => 'graphic',
  inner: (text) => (text === undefined ? 'inner-graphic' : 'inner-text'),
  inline: () => 'inline-link',
  container: () => 'container',
};

const isWithin = (inner: Edges, outer: Edges): boolean => sharedArea(inner, outer) === areaOf(inner);

type Edges = Box;

function scaledBox({ x, y, width, height }: TruthItem['box'], by: number, within: Pixels): Edges | undefined {
  const edge = (value: number, most: number) => Math.max(0, Math.min(most, Math.round(value * by)));
  const box = {
    x0: edge(x, within.width),
    y0: edge(y, within.height),
    x1: edge(x + width, within.width),
    y1: edge(y + height, within.height),
  };
  return box.x1 - box.x0 >= 3 && box.y1 - box.y0 >= 3 ? box : undefined;
}

const asItem = ({ x0, y0, x1, y1 }: Edges) => ({ x: x0, y: y0, width: x1 - x0, height: y1 - y0 });
