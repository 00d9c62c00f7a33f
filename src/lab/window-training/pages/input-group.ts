import type { Look } from './look.ts';

/** An input with a button or a sign joined to it. */
export const inputGroup = (l: Look): string => {
  const h = l.whole(26, 44);
  const tone = l.pick([
    `background:${l.line(4)};border:0`,
    `background:${l.panelCss};border:1px solid ${l.line(20)}`,
  ]);
  const content = l.pick(['', `placeholder="${l.title(1, 3)}..."`, `value="${l.title(1, 2)}"`]);
  const add = l.pick([
    () =>
      `<button style="height:${h}px;border-radius:0 ${l.radius}px ${l.radius}px 0;background:${l.accentCss};color:#fff;border:0;padding:0 12px">${l.icon(14)}</button>`,
    () =>
      `<button style="height:${h}px;border-radius:0 ${l.radius}px ${l.radius}px 0">${l.title(1, 1)}</button>`,
    () =>
      `<span style="height:${h}px;line-height:${h - 2}px;padding:0 10px;background:${l.line(8)};border:1px solid ${l.line(20)};border-left:0">${l.pick(['@', '.00', '$', 'kg', '%'])}</span>`,
  ])();
  return `<div style="display:flex;align-items:stretch;width:${l.whole(180, 520)}px"><input ${content} style="flex:1;min-width:0;height:${h}px;border-radius:${l.radius}px 0 0 ${l.radius}px;${tone}">${add}</div>`;
};
