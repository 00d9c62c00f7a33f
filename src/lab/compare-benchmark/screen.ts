import type { Random } from '../../lib/random/seeded-random.ts';
import type { Box } from '../../window/compare/box.ts';

/** A control of a drawn screen. */
export interface Control {
  kind: 'button' | 'label' | 'value' | 'input' | 'lamp' | 'table';
  x: number;
  y: number;
  width: number;
  height: number;
  text: string;
}

export interface Theme {
  ground: string;
  panel: string;
  ink: string;
  accent: string;
  line: string;
}

/** A screen that does not exist, as data: an edit changes the data, and what it has changed is known. */
export interface Screen {
  width: number;
  height: number;
  theme: Theme;
  fontSize: number;
  controls: Control[];
  caret: Box | undefined;
  dialog: (Box & { title: string }) | undefined;
}

export const THEMES: readonly Theme[] = [
  { ground: '#f4f4f6', panel: '#ffffff', ink: '#202124', accent: '#1a73e8', line: '#d0d4da' },
  { ground: '#ffffff', panel: '#f0f0f0', ink: '#000000', accent: '#3a7d44', line: '#a0a0a0' },
  { ground: '#1e1f22', panel: '#2b2d30', ink: '#dfe1e5', accent: '#4e8cff', line: '#43454a' },
  { ground: '#e8e4da', panel: '#fbf8f0', ink: '#4a3f2a', accent: '#a34d1a', line: '#c8bfa8' },
];
const SIZES = [
  [1280, 800],
  [1920, 1080],
  [1024, 600],
  [800, 480],
] as const;
const WORDS = [
  'Pressure',
  'Start',
  'Valve',
  'Flow',
  'Reset',
  'Open',
  'Mask',
  'Leak',
  'Zero',
  'Stop',
  'Report',
  'Unit',
];

export const pick = <T>(random: Random, list: readonly T[]): T =>
  list[Math.floor(random() * list.length)] as T;
export const whole = (random: Random, low: number, high: number) =>
  low + Math.floor(random() * (high - low + 1));

/** Controls in a loose grid, none over another. */
export function makeScreen(random: Random): Screen {
  const [width, height] = pick(random, SIZES);
  const fontSize = whole(random, 12, 18);
  const controls: Control[] = [];
  const [cellWidth, cellHeight] = [200, 64];
  for (let y = 60; y + cellHeight < height - 20; y += cellHeight)
    for (let x = 20; x + cellWidth < width - 20; x += cellWidth) {
      if (random() < 0.25) continue;
      const kind = pick(random, ['button', 'label', 'value', 'value', 'input', 'lamp', 'table'] as const);
      const control = {
        kind,
        x: x + whole(random, 0, 12),
        y: y + whole(random, 0, 10),
        text: textOf(random, kind),
      };
      controls.push({ ...control, ...sizeOf(random, kind, fontSize) });
    }
  return {
    width,
    height,
    theme: pick(random, THEMES),
    fontSize,
    controls,
    caret: undefined,
    dialog: undefined,
  };
}

function textOf(random: Random, kind: Control['kind']): string {
  if (kind === 'value') return `${whole(random, 0, 99)}.${whole(random, 10, 99)} mbar`;
  if (kind === 'table') return Array.from({ length: 4 }, () => whole(random, 100, 999)).join(' ');
  return pick(random, WORDS);
}

function sizeOf(random: Random, kind: Control['kind'], fontSize: number): { width: number; height: number } {
  if (kind === 'lamp') return { width: 16, height: 16 };
  if (kind === 'button') return { width: whole(random, 80, 130), height: fontSize + 16 };
  if (kind === 'input') return { width: 150, height: fontSize + 14 };
  return { width: 160, height: fontSize + 6 };
}

/** The screen as SVG; drawn by the image library with the machine's fonts. */
export function screenSvg({ width, height, theme, fontSize, controls, caret, dialog }: Screen): string {
  const rect = (box: { x: number; y: number; width: number; height: number }, fill: string, line?: string) =>
    `<rect x="${box.x}" y="${box.y}" width="${box.width}" height="${box.height}" fill="${fill}"${line ? ` stroke="${line}"` : ''}/>`;
  const text = (x: number, y: number, content: string, fill: string) =>
    `<text x="${x}" y="${y}" font-family="DejaVu Sans, sans-serif" font-size="${fontSize}" fill="${fill}">${content}</text>`;
  const drawn = controls.map((control) => {
    const base = control.y + control.height / 2 + fontSize * 0.36;
    switch (control.kind) {
      case 'button':
        return rect(control, theme.accent) + text(control.x + 10, base, control.text, '#ffffff');
      case 'input':
        return (
          rect({ ...control, x: control.x + 0.5, y: control.y + 0.5 }, theme.panel, theme.line) +
          text(control.x + 6, base, control.text, theme.ink)
        );
      case 'lamp':
        return `<circle cx="${control.x + 8}" cy="${control.y + 8}" r="8" fill="${control.text.length % 2 ? '#2e9e3f' : '#d03030'}"/>`;
      default:
        return text(control.x, base, control.text, theme.ink);
    }
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">`,
    rect({ x: 0, y: 0, width, height }, theme.ground),
    rect({ x: 0, y: 0, width, height: 40 }, theme.panel, theme.line),
    text(16, 27, 'Breathing apparatus rig', theme.ink),
    ...drawn,
    caret
      ? rect({ x: caret.x0, y: caret.y0, width: caret.x1 - caret.x0, height: caret.y1 - caret.y0 }, theme.ink)
      : '',
    dialog
      ? rect(
          { x: dialog.x0, y: dialog.y0, width: dialog.x1 - dialog.x0, height: dialog.y1 - dialog.y0 },
          theme.panel,
          theme.ink,
        ) +
        text(dialog.x0 + 20, dialog.y0 + 34, dialog.title, theme.ink) +
        rect({ x: dialog.x1 - 110, y: dialog.y1 - 46, width: 90, height: 30 }, theme.accent) +
        text(dialog.x1 - 90, dialog.y1 - 26, 'Close', '#ffffff')
      : '',
    '</svg>',
  ].join('');
}
