import type { Look } from './look.ts';
import type { Theme } from './toolkit-themes.ts';

/** Title bars as window managers draw them. */
export function titleBar(l: Look, theme: Theme): string {
  return l.pick([steep, steep, classic, motif, plain])(l, theme);
}

/** Lightness of the bar's rows falls fast; small framed buttons stand close together. */
function steep(l: Look): string {
  const h = l.whole(17, 26);
  const hue = l.whole(0, 360);
  const s = l.pick([0, 20, 45, 60]);
  const dark = l.whole(30, 70);
  const light = Math.min(96, dark + l.whole(8, 30));
  const ink = dark > 60 && l.chance(0.7) ? '#111' : '#fff';
  const side = h - l.whole(4, 8);
  const rim = l.chance(0.7) ? `border:1px solid hsl(${hue} ${s}% ${dark - 18}%);` : '';
  const fill = l.chance(0.5)
    ? `background:linear-gradient(hsl(${hue} ${s}% ${light}%),hsl(${hue} ${s}% ${dark}%));`
    : '';
  const key = () =>
    `<span role="button" style="box-sizing:border-box;width:${side}px;height:${side}px;${rim}${fill}display:flex;align-items:center;justify-content:center">${l.icon(side - l.whole(4, 7), ink)}</span>`;
  return bar(
    l,
    h,
    `background:linear-gradient(hsl(${hue} ${s}% ${light}%),hsl(${hue} ${s}% ${dark}%));color:${ink};${l.chance(0.4) ? 'text-shadow:1px 1px #0006;' : ''}`,
    l.pick([3, 4, 5]),
    key,
  );
}

/** A flat bar, or one that grows lighter to the right, with raised buttons without room between them. */
function classic(l: Look, { ground }: Theme): string {
  const colour = l.colour();
  const key = () =>
    `<span role="button" style="box-sizing:border-box;width:16px;height:14px;background:${ground};border:1px solid;border-color:#fff #404040 #404040 #fff;display:flex;align-items:center;justify-content:center;color:#000">${l.icon(9)}</span>`;
  return bar(
    l,
    l.whole(18, 22),
    `background:${l.pick([colour, `linear-gradient(90deg,${colour},${l.colour()})`])};color:#fff;`,
    l.pick([0, 0, 2]),
    key,
  );
}

/** Blocks side by side, the title in one of them. */
function motif(l: Look): string {
  const colour = l.colour();
  const h = l.whole(20, 26);
  const block = `box-sizing:border-box;height:${h}px;background:${colour};border:2px solid;border-color:#fff8 #0006 #0006 #fff8;display:flex;align-items:center;justify-content:center`;
  const key = (): string =>
    `<span role="button" style="${block};width:${h}px;flex:none"><span style="width:${l.whole(4, 10)}px;height:${l.whole(3, 10)}px;border:1px solid;border-color:#fff8 #0006 #0006 #fff8"></span></span>`;
  return `<div data-part="titlebar" style="flex:none;display:flex;color:#fff;font-weight:${l.pick([400, 700])}">${key()}<span style="${block};flex:1">${l.title(1, 5)}</span>${key()}${key()}</div>`;
}

/** Wide flat buttons in the corner, of the bar's own colour. */
function plain(l: Look, { base, ink }: Theme): string {
  const h = l.whole(28, 34);
  const key = () =>
    `<span role="button" style="width:${l.whole(40, 46)}px;display:flex;justify-content:center">${l.icon(l.whole(9, 12))}</span>`;
  return bar(l, h, `background:${base};color:${ink};`, 0, key);
}

function bar(l: Look, h: number, tone: string, gap: number, key: () => string): string {
  const align = l.pick(['left', 'center', 'center']);
  return `<div data-part="titlebar" style="flex:none;display:flex;align-items:center;height:${h}px;gap:${gap}px;padding:0 ${l.pick([2, 4])}px;${tone}">${l.chance(0.6) ? l.icon(h - 6, l.colour()) : ''}<span style="flex:1;text-align:${align};padding:0 5px;font-weight:${l.pick([400, 700])};font-size:${l.pick(['0.9em', '1em'])}">${l.title(1, 5)}</span>${l.times(1, 3, key)}</div>`;
}
