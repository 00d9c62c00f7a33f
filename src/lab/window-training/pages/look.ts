import type { Random } from '../../../lib/random/seeded-random.ts';
import { WORDS } from './words.ts';

const FONTS = [
  'Liberation Sans',
  'Liberation Serif',
  'DejaVu Sans',
  'DejaVu Serif',
  'Noto Sans',
  'Noto Serif',
  'Arial, sans-serif',
  'Georgia, serif',
  'system-ui',
  'DejaVu Sans Condensed',
  'Liberation Sans',
  'Liberation Sans Narrow',
  'Noto Sans Display',
  'Noto Serif Display',
  'DejaVu Sans Light',
  'Noto Kufi Arabic',
];
const MONO = ['Liberation Mono', 'DejaVu Sans Mono', 'Noto Sans Mono', 'monospace'];

export interface Colour {
  h: number;
  s: number;
  l: number;
}

const css = ({ h, s, l }: Colour): string => `hsl(${h.toFixed(0)} ${s.toFixed(0)}% ${l.toFixed(1)}%)`;

/** The style of a page: its colours, fonts, edges and habits, and random content in them. */
export class Look {
  readonly random: Random;
  readonly dark: boolean;
  readonly accent: Colour;
  readonly ground: Colour;
  readonly panel: Colour;
  readonly ink: Colour;
  readonly radius: number;
  readonly size: number;
  readonly font: string;
  readonly mono: string;
  readonly border: number;
  readonly buttonStyle: 'filled' | 'bordered' | 'soft' | 'gradient' | 'mixed';
  readonly inputStyle: 'boxed' | 'filled' | 'line';
  readonly underlined: boolean;
  readonly shadow: boolean;
  readonly density: number;

  constructor(random: Random) {
    this.random = random;
    this.dark = this.chance(0.22);
    const hue = this.number(0, 360);
    const tint = this.chance(0.5) ? this.number(0, 30) : 0;
    this.accent = { h: this.number(0, 360), s: this.number(35, 95), l: this.number(28, 58) };
    this.ground = this.dark
      ? { h: hue, s: tint, l: this.number(6, 22) }
      : { h: hue, s: tint, l: this.chance(0.5) ? 100 : this.number(88, 99) };
    const step = this.pick([0, 2, 4, 7]);
    this.panel = {
      ...this.ground,
      l: this.dark ? this.ground.l + step : this.ground.l > 96 ? this.ground.l - step : 100,
    };
    this.ink = this.dark
      ? { h: hue, s: tint, l: this.number(70, 96) }
      : { h: hue, s: tint, l: this.number(0, 32) };
    this.radius = this.pick([0, 0, 2, 3, 4, 4, 6, 8, 12, 20]);
    this.size = this.pick([11, 12, 13, 13, 14, 14, 15, 16, 16, 18]);
    this.font = this.pick(FONTS);
    this.mono = this.pick(MONO);
    this.border = this.pick([1, 1, 1, 2]);
    this.buttonStyle = this.pick(['filled', 'bordered', 'soft', 'gradient', 'mixed'] as const);
    this.inputStyle = this.pick(['boxed', 'boxed', 'boxed', 'filled', 'line'] as const);
    this.underlined = this.chance(0.4);
    this.shadow = this.chance(0.35);
    this.density = this.number(0.5, 1.6);
  }

  number(from: number, to: number): number {
    return from + this.random() * (to - from);
  }

  whole(from: number, to: number): number {
    return Math.floor(this.number(from, to + 1));
  }

  chance(p: number): boolean {
    return this.random() < p;
  }

  pick<T>(from: readonly T[]): T {
    return from[Math.floor(this.random() * from.length)] as T;
  }

  times(from: number, to: number, make: (i: number) => string): string {
    return Array.from({ length: this.whole(from, to) }, (_, i) => make(i)).join('');
  }

  /** Pixels of room, by the density of the look. */
  room(px: number): number {
    return Math.round(px * this.density);
  }

  words(from: number, to: number): string {
    const words = Array.from({ length: this.whole(from, to) }, () =>
      this.chance(0.06) ? this.name() : this.pick(WORDS),
    );
    return words.join(' ');
  }

  /** A name as programs have them, or a word with signs around it. */
  name(): string {
    const word = () => this.pick(WORDS);
    return this.pick([
      () => `${word()}_${word()}`,
      () => `${word()}_${word()}_${word()}()`,
      () => `${word()}${this.title(1, 1)}`,
      () => `.${word()}`,
      () => `&lt;${word()}&gt;`,
      () => `(${word()})`,
      () => `${word()}-${word()}`,
      () => `"${word()}"`,
      () => `${word()},`,
      () => String(this.whole(0, 3000)),
    ])();
  }

  title(from = 1, to = 4): string {
    const text = this.words(from, to);
    return this.chance(0.15) ? text.toUpperCase() : text.charAt(0).toUpperCase() + text.slice(1);
  }

  sentence(from = 5, to = 18): string {
    return `${this.title(from, to)}${this.pick(['.', '.', '.', '', '?', ':'])}`;
  }

  token(): string {
    return this.pick([
      () => String(this.whole(0, 9999)),
      () => `${this.whole(0, 99)}%`,
      () => `$${this.whole(1, 999)},${this.whole(100, 999)}`,
      () => `20${this.whole(10, 30)}-0${this.whole(1, 9)}-${this.whole(10, 28)}`,
      () => `${this.pick(WORDS)}.${this.pick(['ts', 'txt', 'png', 'json'])}`,
      () => `v${this.whole(0, 9)}.${this.whole(0, 30)}`,
      () => this.title(1, 2),
    ])();
  }

  colour(): string {
    return css({ h: this.number(0, 360), s: this.number(20, 90), l: this.number(25, 75) });
  }

  get accentCss(): string {
    return css(this.accent);
  }

  get panelCss(): string {
    return css(this.panel);
  }

  /** A line's colour on the ground of the page. */
  line(strength = 14): string {
    const l = this.dark ? Math.min(95, this.ground.l + strength) : Math.max(5, this.ground.l - strength);
    return css({ ...this.ground, l });
  }

  inkCss(fade = 0): string {
    const l = this.dark ? this.ink.l - fade : this.ink.l + fade;
    return css({ ...this.ink, l });
  }

  icon(size = this.whole(10, 26), colour = 'currentColor'): string {
    const shape = this.pick(ICONS);
    const drawn = this.chance(0.5)
      ? `fill="${colour}" stroke="none"`
      : `fill="none" stroke="${colour}" stroke-width="2" stroke-linecap="round" stroke-linejoin="round"`;
    return `<svg width="${size}" height="${size}" viewBox="0 0 24 24" ${drawn} style="vertical-align:middle;flex:none${this.chance(0.2) ? `;opacity:${this.number(0.2, 0.8).toFixed(2)}` : ''}">${shape}</svg>`;
  }

  css(): string {
    const { accent, radius, border, size, font, mono } = this;
    const onAccent = accent.l > 52 && this.chance(0.4) ? '#111' : '#fff';
    const control = this.room(this.pick([4, 6, 8]));
    const button = {
      filled: `background:${css(accent)};color:${onAccent};border:${border}px solid ${css(accent)}`,
      bordered: `background:${this.panelCss};color:${this.inkCss()};border:${border}px solid ${this.line(28)}`,
      soft: `background:${this.line(9)};color:${this.inkCss()};border:0`,
      gradient: `background:linear-gradient(${this.line(1)},${this.line(10)});color:${this.inkCss()};border:1px solid ${this.line(34)}`,
      mixed: `background:${this.line(6)};color:${this.inkCss()};border:${border}px solid ${this.line(20)}`,
    }[this.buttonStyle];
    const input = {
      boxed: `background:${this.panelCss};border:${border}px solid ${this.line(24)}`,
      filled: `background:${this.line(7)};border:0`,
      line: `background:transparent;border:0;border-bottom:${border}px solid ${this.line(30)}`,
    }[this.inputStyle];
    return `*{box-sizing:border-box}
body{margin:${this.pick([0, 0, 8, 16, 30])}px;font:${size}px/${this.pick([1.12, 1.2, 1.3, 1.4, 1.5, 1.6])} '${font}';background:${css(this.ground)};color:${this.inkCss()};${this.chance(0.1) ? `letter-spacing:${this.number(0, 0.6).toFixed(2)}px` : ''}}
a{color:${this.chance(0.7) ? css({ ...accent, l: this.dark ? 65 : 38 }) : 'inherit'};text-decoration:${this.underlined ? 'underline' : 'none'}}
button,.btn{font:inherit;display:inline-block;padding:${control}px ${control * 2 + 4}px;border-radius:${radius}px;${button};${this.shadow && this.chance(0.4) ? 'box-shadow:0 1px 3px rgba(0,0,0,.3);' : ''}text-decoration:none;text-align:center}
.primary{background:${css(accent)};color:${onAccent};border-color:${css(accent)}}
.ghost{background:transparent;border-color:transparent;box-shadow:none}
.pill{border-radius:99px}
input,select,textarea{font:inherit;color:inherit;padding:${control}px ${control + 3}px;border-radius:${this.inputStyle === 'line' ? 0 : radius}px;${input}}
input[type=checkbox],input[type=radio]{padding:0;width:${this.pick([13, 14, 16, 18])}px;height:${this.pick([13, 14, 16, 18])}px}
::placeholder{color:${this.inkCss(35)}}
h1{font-size:${this.number(1.6, 2.8).toFixed(2)}em}h2{font-size:${this.number(1.2, 1.8).toFixed(2)}em}h1,h2,h3,h4,p,ul,ol,dl,table,pre{margin:${this.room(10)}px 0}
h1,h2,h3{${this.chance(0.3) ? `font-family:'${this.pick(FONTS)}'` : ''};font-weight:${this.pick([400, 500, 700])};line-height:1.25}
pre,code,kbd{font-family:'${mono}';font-size:${this.pick([0.85, 0.9, 1])}em}
code{${this.chance(0.4) ? `background:${this.line(5)};padding:1px 4px;border-radius:3px` : ''}}
.row{display:flex;gap:${this.room(10)}px;align-items:center;flex-wrap:wrap}
.col{display:flex;flex-direction:column;gap:${this.room(8)}px}
.card{background:${this.panelCss};border:${this.chance(0.7) ? `1px solid ${this.line(12)}` : '0'};border-radius:${radius}px;padding:${this.room(14)}px;${this.shadow ? `box-shadow:0 2px ${this.whole(4, 32)}px rgba(0,0,0,.${this.whole(10, 25)})` : ''}}
.muted{color:${this.inkCss(32)}}.small{font-size:.85em}.tiny{font-size:.75em}
table{border-collapse:collapse}td,th{padding:${this.room(5)}px ${this.room(9)}px;text-align:left;vertical-align:${this.pick(['top', 'middle'])}}
hr{border:0;border-top:1px solid ${this.line(14)}}`;
  }
}

const ICONS = [
  '<circle cx="11" cy="11" r="7"/><path d="M16 16l6 6"/>',
  '<path d="M3 6h18M3 12h18M3 18h18" stroke="currentColor" stroke-width="2"/>',
  '<path d="M6 6l12 12M18 6L6 18" stroke="currentColor" stroke-width="2"/>',
  '<path d="M12 4v16M4 12h16" stroke="currentColor" stroke-width="2.5"/>',
  '<path d="M6 9l6 6 6-6"/>',
  '<path d="M9 6l6 6-6 6"/>',
  '<path d="M15 6l-6 6 6 6"/>',
  '<rect x="4" y="4" width="16" height="16" rx="2"/>',
  '<rect x="3" y="5" width="18" height="14"/><path d="M3 5l9 8 9-8"/>',
  '<path d="M12 2l3 7 7 .5-5.500 4.500 2 7.500-6.500-4-6.500 4 2-7.500L2 9.500 9 9z"/>',
  '<path d="M4 20V10l8-7 8 7v10h-6v-6h-4v6z"/>',
  '<circle cx="12" cy="8" r="4"/><path d="M4 21c0-5 4-7 8-7s8 2 8 7z"/>',
  '<circle cx="5" cy="12" r="2"/><circle cx="12" cy="12" r="2"/><circle cx="19" cy="12" r="2"/>',
  '<circle cx="12" cy="5" r="2"/><circle cx="12" cy="12" r="2"/><circle cx="12" cy="19" r="2"/>',
  '<path d="M4 6h5l2 2h9v11H4z"/>',
  '<path d="M6 2h9l5 5v15H6z"/><path d="M9 12h8M9 16h8"/>',
  '<path d="M5 13l4 4L19 7" stroke="currentColor" stroke-width="3" fill="none"/>',
  '<path d="M4 20h16M6 16V9M11 16V4M16 16v-5" stroke="currentColor" stroke-width="3"/>',
  '<circle cx="12" cy="12" r="9"/><path d="M12 7v6M12 16v1" stroke="#fff"/>',
  '<path d="M12 3a6 6 0 0 1 6 6c0 5 2 7 2 7H4s2-2 2-7a6 6 0 0 1 6-6zM10 20h4"/>',
  '<path d="M4 12a8 8 0 1 0 3-6M4 3v5h5"/>',
  '<path d="M7 4v16l13-8z"/>',
  '<path d="M6 4h4v16H6zM14 4h4v16h-4z"/>',
  '<path d="M12 3v12M7 10l5 5 5-5M4 20h16"/>',
  '<text x="3" y="19" font-size="20" font-weight="bold" stroke="none" fill="currentColor">B</text>',
  '<text x="6" y="19" font-size="20" font-style="italic" stroke="none" fill="currentColor">I</text>',
  '<path d="M4 6h16M4 10h10M4 14h16M4 18h10" stroke="currentColor" stroke-width="2"/>',
];
