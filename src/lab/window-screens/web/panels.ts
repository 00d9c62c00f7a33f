import { seededRandom } from '../../../lib/random/seeded-random.ts';
import { Look } from '../../window-training/pages/look.ts';
import type { Shown } from '../screen.ts';

interface Paint {
  ground: string;
  tile: string;
  line: string;
  ink: string;
  faint: string;
  accent: string;
  lit: string;
  off: string;
  font: string;
  radius: number;
}

/** Panels of devices in the manners of their makers. */
const PAINTS: Readonly<Record<string, Paint>> = {
  'panel-grey': {
    ground: '#b9bdc1',
    tile: '#d7dadd',
    line: '#7c8288',
    ink: '#16181a',
    faint: '#4b5157',
    accent: '#1f5fa8',
    lit: '#1fae3a',
    off: '#8b9097',
    font: 'Liberation Sans',
    radius: 2,
  },
  'panel-night': {
    ground: '#0c1116',
    tile: '#16202a',
    line: '#2b3b4a',
    ink: '#dfe8f0',
    faint: '#7f95a8',
    accent: '#21b6d7',
    lit: '#39e07a',
    off: '#2b3640',
    font: 'Noto Sans',
    radius: 8,
  },
  'panel-steel': {
    ground: '#39424a',
    tile: '#4a555f',
    line: '#20272d',
    ink: '#f2f4f5',
    faint: '#b6c0c8',
    accent: '#e8a317',
    lit: '#ff4136',
    off: '#6a2320',
    font: 'DejaVu Sans',
    radius: 0,
  },
  'panel-light': {
    ground: '#f4f6f8',
    tile: '#ffffff',
    line: '#d5dbe1',
    ink: '#1c2733',
    faint: '#6b7a88',
    accent: '#0a7d5a',
    lit: '#e6b400',
    off: '#d9dee3',
    font: 'Liberation Sans',
    radius: 12,
  },
};

const QUANTITIES = [
  ['Inlet pressure', 'bar', 10],
  ['Chamber', 'kPa', 110],
  ['Mask pressure', 'mbar', 40],
  ['Flow', 'l/min', 300],
  ['Temperature', '°C', 60],
  ['Resistance', 'Ω', 900],
  ['Supply', 'V', 24],
  ['Current', 'µA', 500],
  ['Humidity', '%', 100],
  ['Zawór 2', 'mbar', 40],
  ['Ciśnienie', 'Pa', 900],
  ['Breath rate', '1/min', 40],
] as const;

/** Segments a to g of each digit. */
const DIGITS = ['abcdef', 'bc', 'abged', 'abgcd', 'fgbc', 'afgcd', 'afgedc', 'abc', 'abcdefg', 'abcdfg'];
/** End points of each segment in a field of 10 x 18. */
const SEGMENTS: Readonly<Record<string, string>> = {
  a: '1,0 9,0',
  b: '10,1 10,8',
  c: '10,10 10,17',
  d: '1,18 9,18',
  e: '0,10 0,17',
  f: '0,1 0,8',
  g: '1,9 9,9',
};

/** Drawn panels with gauges, lamps, displays and small numbers with units; what is drawn says where its texts are. */
export function panelScreens(seed: number): Shown[] {
  return Object.keys(PAINTS).flatMap((family, p) =>
    Array.from({ length: 6 }, (_, k) => {
      const panel = new Panel(
        new Look(seededRandom(seed * 100_000 + 80_000 + p * 100 + k)),
        PAINTS[family] as Paint,
      );
      const [width, height] = k % 3 === 2 ? [800, 480] : [1280, 800];
      return (k % 2 === 0 ? [1, 2] : [1, 1.5]).map((scale) => ({
        family,
        page: `${family}-${k}`,
        source: 'drawn',
        show: { html: panel.page(width, height) },
        width,
        height,
        scale,
      }));
    }).flat(),
  );
}

class Panel {
  readonly #l: Look;
  readonly #p: Paint;
  #made: string | undefined;

  constructor(look: Look, paint: Paint) {
    this.#l = look;
    this.#p = paint;
  }

  page(width: number, height: number): string {
    this.#made ??= this.#draw(width, height);
    return this.#made;
  }

  #draw(width: number, height: number): string {
    const { ground, tile, line, ink, font, radius, accent } = this.#p;
    const l = this.#l;
    const columns = width > 1000 ? l.whole(3, 5) : l.whole(2, 3);
    const makers = [
      () => this.#reading(),
      () => this.#gauge(),
      () => this.#display(),
      () => this.#lamps(),
      () => this.#keys(),
      () => this.#list(),
      () => this.#level(),
    ];
    const tiles = l.times(columns * 2, columns * 3, () => `<div class="tile">${l.pick(makers)()}</div>`);
    const head = l.chance(0.8)
      ? `<div class="head"><b>${l.title(1, 3)}</b><span style="flex:1"></span><span>${l.whole(10, 23)}:${l.whole(10, 59)}:${l.whole(10, 59)}</span>${l.times(0, 2, () => `<button>${l.title(1, 1)}</button>`)}</div>`
      : '';
    return `<!doctype html><html><head><meta charset="utf-8"><style>*{box-sizing:border-box}body{margin:0;padding:10px;background:${ground};color:${ink};font:14px '${font}';height:${height}px;overflow:hidden}
.head{display:flex;gap:14px;align-items:center;padding:6px 10px;margin-bottom:10px;border-bottom:2px solid ${line}}
.grid{display:grid;grid-template-columns:repeat(${columns},1fr);gap:10px}.tile{background:${tile};border:1px solid ${line};border-radius:${radius}px;padding:10px;min-height:120px}
.name{color:${this.#p.faint};font-size:13px;margin-bottom:4px}.row{display:flex;gap:10px;align-items:center;margin:5px 0}
button{font:inherit;color:${ink};background:${ground};border:1px solid ${line};border-radius:${radius}px;padding:6px 12px}.go{background:${accent};color:#fff}
input{font:inherit;width:80px;background:${ground};color:${ink};border:1px solid ${line};padding:3px 6px;text-align:right}</style></head><body>${head}<div class="grid">${tiles}</div></body></html>`;
  }

  #quantity(): { name: string; unit: string; value: string } {
    const [name, unit, most] = this.#l.pick(QUANTITIES);
    return { name, unit, value: this.#l.number(0, most).toFixed(most > 200 ? 0 : most > 50 ? 1 : 2) };
  }

  #reading(): string {
    const { name, unit, value } = this.#quantity();
    const size = this.#l.pick([18, 22, 28, 40, 54]);
    return this.#l.chance(0.5)
      ? `<div class="name">${name}</div><div><span style="font-size:${size}px">${value}</span> <span style="font-size:${Math.max(11, Math.round(size / 2))}px;color:${this.#p.faint}">${unit}</span></div>`
      : `<div style="font-size:${size}px">${value} ${unit}</div><div class="name">${name}</div>`;
  }

  #gauge(): string {
    const { name, unit, value } = this.#quantity();
    const { ink, line, accent, tile, font } = this.#p;
    const most = this.#l.pick([10, 40, 100, 200]);
    const angle = this.#l.number(-120, 120);
    const at = (degrees: number, radius: number) =>
      [
        90 + radius * Math.sin((degrees * Math.PI) / 180),
        88 - radius * Math.cos((degrees * Math.PI) / 180),
      ] as const;
    const ticks = Array.from({ length: 11 }, (_, i) => {
      const [x0, y0] = at(-120 + i * 24, 70);
      const [x1, y1] = at(-120 + i * 24, i % 5 === 0 ? 60 : 65);
      return `<path d="M${x0.toFixed(1)} ${y0.toFixed(1)}L${x1.toFixed(1)} ${y1.toFixed(1)}" stroke="${ink}" stroke-width="2"/>`;
    });
    const numbers = [0, 0.5, 1].map((share) => {
      const [x, y] = at(-120 + share * 240, 48);
      return `<span style="position:absolute;left:${(x - 15).toFixed(0)}px;top:${(y - 7).toFixed(0)}px;width:30px;text-align:center;font-size:11px">${share * most}</span>`;
    });
    const [nx, ny] = at(angle, 44);
    return `<div class="name">${name}</div><div style="position:relative;width:180px;height:172px;font-family:'${font}'"><svg width="180" height="172" style="position:absolute;left:0;top:0"><circle cx="90" cy="88" r="76" fill="${tile}" stroke="${line}" stroke-width="3"/>${ticks.join('')}<path d="M90 88L${nx.toFixed(1)} ${ny.toFixed(1)}" stroke="${accent}" stroke-width="4"/><circle cx="90" cy="88" r="6" fill="${accent}"/></svg>${numbers.join('')}<span style="position:absolute;left:50px;top:122px;width:80px;text-align:center;font-size:15px">${value} ${unit}</span></div>`;
  }

  #display(): string {
    const { name, unit, value } = this.#quantity();
    const tone = this.#l.pick([
      ['#ff3b30', '#2a0504'],
      ['#39ff6a', '#04220c'],
      ['#222', '#b9c8a4'],
      ['#4fc3ff', '#02131f'],
    ] as const);
    const size = this.#l.pick([1.2, 2, 3]);
    let x = 0;
    const drawn = [...value].map((sign) => {
      if (sign === '.') {
        x += 3;
        return `<rect x="${x - 4.5}" y="17" width="2" height="2" fill="${tone[0]}"/>`;
      }
      const digit = [...(DIGITS[Number(sign)] as string)].map(
        (segment) =>
          `<polyline points="${SEGMENTS[segment]}" fill="none" stroke="${tone[0]}" stroke-width="2"/>`,
      );
      x += 15;
      return `<g transform="translate(${x - 15} 0)">${digit.join('')}</g>`;
    });
    const width = x - 3;
    return `<div class="name">${name}</div><div class="row"><div style="background:${tone[1]};padding:8px 12px;display:inline-block"><svg data-text="${value}" width="${width * size}" height="${20 * size}" viewBox="-1 -1 ${width} 20">${drawn.join('')}</svg></div><span>${unit}</span></div>`;
  }

  #lamps(): string {
    const { lit, off, line } = this.#p;
    return this.#l.times(
      3,
      6,
      () =>
        `<div class="row"><svg width="16" height="16"><circle cx="8" cy="8" r="7" fill="${this.#l.chance(0.5) ? lit : off}" stroke="${line}"/></svg><span>${this.#l.title(1, 2)}</span></div>`,
    );
  }

  #keys(): string {
    return `<div class="name">${this.#l.title(1, 2)}</div><div class="row" style="flex-wrap:wrap">${this.#l.times(2, 6, (i) => `<button class="${i === 0 ? 'go' : ''}">${this.#l.title(1, 1)}</button>`)}</div>`;
  }

  #list(): string {
    return this.#l.times(3, 6, () => {
      const { name, unit, value } = this.#quantity();
      return this.#l.chance(0.6)
        ? `<div class="row" style="justify-content:space-between"><span>${name}</span><span>${value} ${unit}</span></div>`
        : `<div class="row"><span style="flex:1">${name}</span><input value="${value}"><span>${unit}</span></div>`;
    });
  }

  #level(): string {
    const { name, unit, value } = this.#quantity();
    const share = this.#l.whole(8, 92);
    return `<div class="name">${name}</div><div class="row"><div style="width:36px;height:90px;border:2px solid ${this.#p.line};background:linear-gradient(to top,${this.#p.accent} ${share}%,${this.#p.off} ${share}%)"></div><span style="font-size:20px">${value} ${unit}</span></div>`;
  }
}
