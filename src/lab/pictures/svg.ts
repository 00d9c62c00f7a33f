/** Colours, those of the report (src/scenario/outputs/report) in light. Each picture is a card with a background of its own. */
export const COLOUR = {
  ink: '#1a1d21',
  mute: '#5c6670',
  line: '#d5dae0',
  soft: '#f2f4f6',
  paper: '#ffffff',
  good: '#14713a',
  bad: '#b3201b',
  warn: '#8a5a00',
  active: '#e8a33d',
  blue: '#1f5fbf',
} as const;

/** Sizes of type, px. */
export const TYPE = { title: 15, text: 13, note: 11 } as const;

const SANS = 'system-ui, -apple-system, Segoe UI, Roboto, Helvetica, Arial, sans-serif';
export const MONO = 'ui-monospace, SFMono-Regular, Menlo, Consolas, DejaVu Sans Mono, monospace';

type Attributes = Readonly<Record<string, string | number | undefined>>;

/** An element with its children, which are markup already. Numbers are rounded, so that the same input gives the same bytes. */
export function element(name: string, attributes: Attributes, ...children: string[]): string {
  const list = Object.entries(attributes)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => ` ${key}="${typeof value === 'number' ? round(value) : escaped(String(value))}"`);
  const open = `<${name}${list.join('')}`;
  return children.length === 0 ? `${open}/>` : `${open}>${children.join('')}</${name}>`;
}

const round = (value: number): number => Math.round(value * 10) / 10;

export const escaped = (text: string): string =>
  text.replace(
    /[&<>"]/g,
    (sign) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[sign] ?? sign,
  );

interface TextStyle {
  readonly size?: number;
  readonly fill?: string;
  readonly anchor?: 'start' | 'middle' | 'end';
  readonly bold?: boolean;
}

export const text = (
  x: number,
  y: number,
  words: string,
  { size = TYPE.text, fill = COLOUR.ink, anchor = 'start', bold = false }: TextStyle = {},
): string =>
  element(
    'text',
    {
      x,
      y,
      'font-size': size,
      fill,
      'text-anchor': anchor === 'start' ? undefined : anchor,
      'font-weight': bold ? 600 : undefined,
    },
    escaped(words),
  );

export const line = (x1: number, y1: number, x2: number, y2: number, more: Attributes = {}): string =>
  element('line', { x1, y1, x2, y2, stroke: COLOUR.line, 'stroke-width': 1, ...more });

export const box = (x: number, y: number, width: number, height: number, more: Attributes = {}): string =>
  element('rect', { x, y, width, height, ...more });

export interface Picture {
  readonly width: number;
  readonly height: number;
  /** What it shows, for those who do not see it. */
  readonly title: string;
  readonly background?: string;
  readonly content: readonly string[];
}

/** The whole file. */
export function picture({ width, height, title, background = COLOUR.paper, content }: Picture): string {
  const frame = { fill: background, stroke: COLOUR.line, rx: 8 };
  const attributes = {
    xmlns: 'http://www.w3.org/2000/svg',
    viewBox: `0 0 ${width} ${height}`,
    width,
    height,
    role: 'img',
    'font-family': SANS,
  };
  const parts = [
    element('title', {}, escaped(title)),
    box(0.5, 0.5, width - 1, height - 1, frame),
    ...content,
  ];
  return `${element('svg', attributes, `\n${parts.join('\n')}\n`)}\n`;
}
