import type { Program, SceneObject } from '../program/schema.ts';

/** Draws a program. Invisible layers are left out; objects are drawn in their order, so that what lies inside is on top. */
export function programSvg({ scene }: Program): string {
  const { width, height, background } = scene;
  const layers = scene.layers
    .filter(({ visible }) => visible !== false)
    .map(({ id, objects }) => `<g id="${escaped(id)}">${objects.map(objectSvg).join('')}</g>`);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">`,
    `<rect width="${width}" height="${height}" fill="${background}"/>`,
    `<g shape-rendering="crispEdges">${layers.join('\n')}</g>`,
    '</svg>\n',
  ].join('\n');
}

type Params = SceneObject['primitives'][number]['params'];
type Shape = SceneObject['primitives'][number]['shape_type'];

function objectSvg(object: SceneObject): string {
  const shapes = object.primitives
    .map(({ shape_type, params }) => shapeSvg(shape_type, params, object))
    .join('');
  const transform = transformOf(object);
  return transform ? `<g transform="${transform}">${shapes}</g>` : shapes;
}

function shapeSvg(shape: Shape, params: Params, object: SceneObject): string {
  const { width = 0, height = 0 } = params;
  const x = params.x ?? (object.center_x ?? width / 2) - width / 2;
  const y = params.y ?? (object.center_y ?? height / 2) - height / 2;
  switch (shape) {
    case 'rectangle': {
      // The line lies inside of the box: the box is what was found.
      const line = strokeOf(object);
      return element('rect', {
        x: x + line / 2,
        y: y + line / 2,
        width: Math.max(0, width - line),
        height: Math.max(0, height - line),
        ...paint(object),
      });
    }
    case 'circle': {
      const radius = number(params.r) ?? number(params.radius) ?? Math.min(width, height) / 2;
      const cx = number(params.cx) ?? object.center_x ?? x + radius;
      const cy = number(params.cy) ?? object.center_y ?? y + radius;
      return element('circle', { cx, cy, r: radius, ...paint(object) });
    }
    case 'line':
      return element('line', {
        x1: number(params.x1) ?? x,
        y1: number(params.y1) ?? y,
        x2: number(params.x2) ?? x + width,
        y2: number(params.y2) ?? y + height,
        ...paint(object),
        stroke: colorOf(object),
        'stroke-width': Math.max(1, strokeOf(object)),
      });
    case 'text': {
      const size = number(params.font_size) ?? (height || 16);
      const text = typeof params.text === 'string' ? params.text : '';
      const attributes = {
        x,
        y: y + size * 0.8,
        'font-size': size,
        'font-family': 'sans-serif',
        fill: colorOf(object),
      };
      return `<text${attributesText(attributes)}>${escaped(text)}</text>`;
    }
    case 'path':
      return element('path', { d: typeof params.d === 'string' ? params.d : '', ...paint(object) });
  }
}

type Attributes = Readonly<Record<string, string | number>>;

function paint(object: SceneObject): Attributes {
  const line = strokeOf(object);
  const opacity = object.style?.opacity ?? 1;
  return {
    fill: object.style?.fill === false ? 'none' : colorOf(object),
    ...(line > 0 ? { stroke: colorOf(object), 'stroke-width': line } : {}),
    ...(opacity < 1 ? { opacity } : {}),
  };
}

const colorOf = ({ style }: SceneObject) => style?.color ?? '#000000';
/** What is not filled and has no line would not be seen. */
const strokeOf = ({ style }: SceneObject) =>
  style?.fill === false ? style.stroke_width || 1 : (style?.stroke_width ?? 0);

function transformOf({ transform }: SceneObject): string {
  const { translate, rotate, scale } = transform ?? {};
  const [dx, dy] = Array.isArray(translate) ? translate.map(number) : [];
  return [
    dx !== undefined && dy !== undefined ? `translate(${dx} ${dy})` : '',
    number(rotate) === undefined ? '' : `rotate(${number(rotate)})`,
    number(scale) === undefined ? '' : `scale(${number(scale)})`,
  ]
    .filter((part) => part !== '')
    .join(' ');
}

function number(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

function element(name: string, attributes: Attributes): string {
  return `<${name}${attributesText(attributes)}/>`;
}

function attributesText(attributes: Attributes): string {
  return Object.entries(attributes)
    .map(([name, value]) => ` ${name}="${escaped(String(value))}"`)
    .join('');
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Control characters cannot be written in XML at all. */
function escaped(text: string): string {
  return [...text]
    .filter((one) => one >= ' ' || one === '\t' || one === '\n')
    .map((one) => ENTITIES[one] ?? one)
    .join('');
}
