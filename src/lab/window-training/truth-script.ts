/**
 * Runs in the page and returns what a person can see of it, as `TruthItem[]` with boxes clipped to the window:
 * controls and links (`interactive`), lines of text (`text`), pictures and icons (`graphic`), what lies inside a control
 * (`inner`), links inside running text (`inline`) and painted containers (`container`). What has `data-text` is one text
 * that is drawn.
 */
export const TRUTH_SCRIPT = `(() => {
  const W = innerWidth, H = innerHeight, items = [];
  const CONTROL = 'a[href],button,input,select,textarea,summary,[role=button],[role=tab],[role=menuitem],[role=checkbox],[role=radio],[role=switch],[role=slider],[role=combobox],[role=option],[role=treeitem],[role=spinbutton],[data-control]';
  const round = (r) => { const x0 = Math.max(0, Math.round(r.left)), y0 = Math.max(0, Math.round(r.top)), x1 = Math.min(W, Math.round(r.right)), y1 = Math.min(H, Math.round(r.bottom)); return x1 - x0 >= 3 && y1 - y0 >= 3 ? { x: x0, y: y0, width: x1 - x0, height: y1 - y0 } : null; };
  const visible = (e) => e.checkVisibility({ opacityProperty: true, visibilityProperty: true });
  const clipped = (r, e) => { let box = { left: r.left, top: r.top, right: r.right, bottom: r.bottom }; for (let p = e; p; p = p.parentElement) { const s = getComputedStyle(p); if (s.overflow !== 'visible' && p !== document.body && p !== document.documentElement) { const c = p.getBoundingClientRect(); box = { left: Math.max(box.left, c.left), top: Math.max(box.top, c.top), right: Math.min(box.right, c.right), bottom: Math.min(box.bottom, c.bottom) }; } } return box; };
  const onTop = (r, e) => { const x = (Math.max(0, r.left) + Math.min(W, r.right)) / 2, y = (Math.max(0, r.top) + Math.min(H, r.bottom)) / 2; const hit = document.elementFromPoint(x, y); return !!hit && (e.contains(hit) || hit.contains(e)); };
  const solid = (c) => { const m = /rgba?\\(([^)]+)\\)/.exec(c); if (!m) return false; const p = m[1].split(/[, /]+/).map(Number); return p.length < 4 || p[3] > 0.04; };
  const painted = (e) => {
    const s = getComputedStyle(e);
    if (e.dataset.painted !== undefined) return true;
    if (['INPUT', 'SELECT', 'TEXTAREA'].includes(e.tagName) && !['image'].includes(e.type)) return true;
    const ground = (() => { for (let p = e.parentElement; p; p = p.parentElement) { const b = getComputedStyle(p); if (b.backgroundImage !== 'none') return 'image'; if (solid(b.backgroundColor)) return b.backgroundColor; } return 'rgb(255, 255, 255)'; })();
    if (s.backgroundImage !== 'none') return true;
    if (solid(s.backgroundColor) && s.backgroundColor !== ground) return true;
    const sides = ['Top', 'Right', 'Bottom', 'Left'].filter((k) => parseFloat(s['border' + k + 'Width']) > 0 && s['border' + k + 'Style'] !== 'none' && solid(s['border' + k + 'Color']) && s['border' + k + 'Color'] !== ground);
    return sides.length >= 3 || (s.boxShadow !== 'none' && !/rgba\\(0, 0, 0, 0\\)/.test(s.boxShadow));
  };
  // Three blanks and more in preformatted text part columns, as in a listing.
  const isPre = (n) => /^pre/.test(getComputedStyle(n.parentElement).whiteSpace);
  const piecesOf = (n) => { const range = document.createRange(); range.selectNodeContents(n); const whole = [...range.getClientRects()]; const cells = isPre(n) && /\\S {3,}\\S/.test(n.data); if (whole.length < 2 && !cells) return whole.map((r) => [r, n.data]); return [...n.data.matchAll(/\\S+/g)].flatMap((m) => { range.setStart(n, m.index); range.setEnd(n, m.index + m[0].length); return [...range.getClientRects()].map((r, i) => [r, i ? '' : ' ' + m[0]]); }); };
  const lineRects = (nodes) => { const lines = []; for (const n of nodes) for (const [r, text] of piecesOf(n)) { if (r.width < 1 || r.height < 1) continue; const line = lines.find((l) => Math.min(l.bottom, r.bottom) - Math.max(l.top, r.top) > 0.5 * Math.min(l.bottom - l.top, r.height) && !(isPre(n) && text.trim() && Math.max(r.left - l.right, l.left - r.right) > 1.3 * r.height)); if (line) { line.left = Math.min(line.left, r.left); line.top = Math.min(line.top, r.top); line.right = Math.max(line.right, r.right); line.bottom = Math.max(line.bottom, r.bottom); line.text += text; } else lines.push({ left: r.left, top: r.top, right: r.right, bottom: r.bottom, text }); } return lines; };
  const texts = (e, skip) => { const out = []; const walk = document.createTreeWalker(e, NodeFilter.SHOW_TEXT); for (let n = walk.nextNode(); n; n = walk.nextNode()) { if (!n.data.trim() || !visible(n.parentElement)) continue; if (['SCRIPT', 'STYLE', 'OPTION', 'TITLE'].includes(n.parentElement.tagName) || n.parentElement.closest('svg')) continue; if (skip && skip(n)) continue; out.push(n); } return out; };
  // Icons of fonts, of sprites and of masks: small, without a text, and drawn all the same.
  const isIcon = (e) => { const r = e.getBoundingClientRect(); if (r.width < 6 || r.height < 6 || r.width > 64 || r.height > 64 || e.firstElementChild || e.textContent.trim()) return false; const s = getComputedStyle(e); if (/url\\(/.test(s.backgroundImage) || /url\\(/.test(s.maskImage)) return true; return ['::before', '::after'].some((part) => { const p = getComputedStyle(e, part); return !['none', 'normal', '""'].includes(p.content) || (p.content === '""' && p.display !== 'none' && (/url\\(/.test(p.backgroundImage + p.maskImage) || solid(p.backgroundColor) || parseFloat(p.borderTopWidth) > 0)); }); };
  const graphics = (e) => [...e.querySelectorAll('svg,img,canvas,[data-icon],i,span,em')].filter((g) => visible(g) && (!/^(I|SPAN|EM)$/.test(g.tagName) || (g.dataset.icon === undefined && !g.closest('svg,[data-text]') && isIcon(g))));
  const plain = (text) => { const own = (text || '').replace(/\\s+/g, ' ').trim(); return own ? { text: own } : {}; };
  const push = (cls, r, e, more) => { const box = round(clipped(r, e)); if (box && onTop(r, e)) items.push({ class: cls, box, ...(cls === 'text' || cls === 'inner' ? plain(r.text) : {}), ...(cls === 'interactive' ? { tag: /input$/.test(e.dataset.control || '') ? 'input' : e.tagName.toLowerCase(), ...plain(e.tagName === 'SELECT' ? e.selectedOptions[0] && e.selectedOptions[0].text : e.value || e.placeholder || e.innerText) } : {}), ...more }); };
  const blockOf = (n) => { let p = n.parentElement; while (p && /^inline/.test(getComputedStyle(p).display) && !/inline-(block|flex|grid)/.test(getComputedStyle(p).display)) p = p.parentElement; return p; };
  // Texts of two blocks are two, also where they stand side by side.
  const byBlock = (nodes) => { const blocks = new Map(); for (const n of nodes) { const b = blockOf(n); if (!blocks.has(b)) blocks.set(b, []); blocks.get(b).push(n); } return blocks.values(); };
  // A card that can be pressed as a whole shows several things: it is no control, what it shows are elements.
  const cards = new Set([...document.querySelectorAll('a[href],button,[role=button],[data-control]')].filter((e) => { const r = e.getBoundingClientRect(); const blocks = [...byBlock(texts(e))]; return r.width >= 100 && r.height >= 80 && blocks.length >= 2 && blocks.reduce((sum, nodes) => sum + lineRects(nodes).length, 0) >= 3; }));
  const controlOf = (e) => { let c = e && e.closest(CONTROL); while (c && cards.has(c)) c = c.parentElement && c.parentElement.closest(CONTROL); return c; };
  const controls = [...document.querySelectorAll(CONTROL)].filter((e) => visible(e) && !cards.has(e) && !controlOf(e.parentElement) && e.type !== 'hidden');
  const inlineLinks = new Set();
  for (const e of controls) {
    const own = texts(e), box = painted(e);
    if (e.tagName === 'A' && !box && own.length) {
      const block = blockOf(e);
      const others = block ? texts(block, (n) => controlOf(n.parentElement)) : [];
      const words = others.map((n) => n.data.trim()).join('');
      if (/^inline$/.test(getComputedStyle(e).display) && words.length > 0) { inlineLinks.add(e); for (const r of lineRects(own)) push('inline', r, e); continue; }
    }
    if (box) push('interactive', e.getBoundingClientRect(), e, { role: roleOf(e, true) });
    else {
      const parts = [...own.flatMap((n) => lineRects([n])), ...graphics(e).map((g) => g.getBoundingClientRect())];
      if (parts.length === 0) continue;
      const lines = lineRects(own);
      if (graphics(e).length === 0 && lines.length > 1) for (const l of lines) push('interactive', l, e, { role: roleOf(e, false) });
      else push('interactive', { left: Math.min(...parts.map((p) => p.left)), top: Math.min(...parts.map((p) => p.top)), right: Math.max(...parts.map((p) => p.right)), bottom: Math.max(...parts.map((p) => p.bottom)) }, e, { role: roleOf(e, false) });
    }
    for (const nodes of byBlock(own)) for (const l of lineRects(nodes)) push('inner', l, e);
    for (const g of graphics(e)) push('inner', g.getBoundingClientRect(), g);
  }
  function partOf(e) { if (e.dataset.part) return { role: e.dataset.part }; return /^(DIV|SECTION|MAIN|NAV|ASIDE|HEADER|FOOTER|FIELDSET|FORM|PRE|DL)$/.test(e.tagName) ? { role: 'panel' } : {}; }
  function roleOf(e, box) { const t = e.tagName, r = e.getAttribute('role'); if (e.dataset.control) return e.dataset.control; if (r === 'tab') return 'tab'; if (r === 'menuitem' || r === 'option' || r === 'treeitem') return 'menu'; if (r === 'checkbox' || r === 'radio' || r === 'switch' || e.type === 'checkbox' || e.type === 'radio') return 'checkbox'; if (['INPUT', 'SELECT', 'TEXTAREA'].includes(t) && !['button', 'submit', 'reset', 'range'].includes(e.type)) return 'input'; if (t === 'A' && !box) return texts(e).length ? 'link' : 'icon_button'; return texts(e).length ? 'button' : 'icon_button'; }
  for (const nodes of byBlock(texts(document.body, (t) => { const c = controlOf(t.parentElement); return c && !inlineLinks.has(c); }))) for (const l of lineRects(nodes)) push('text', l, blockOf(nodes[0]));
  for (const e of document.querySelectorAll('[data-text]')) if (visible(e) && !controlOf(e)) push('text', e.getBoundingClientRect(), e);
  for (const g of graphics(document.body)) if (!controlOf(g) && !g.closest('[data-text]')) push('graphic', g.getBoundingClientRect(), g);
  for (const e of document.body.querySelectorAll('*')) if (visible(e) && !controlOf(e) && !e.closest('svg') && painted(e)) push('container', e.getBoundingClientRect(), e, partOf(e));
  return items;
})()`;

export interface TruthItem {
  class: 'interactive' | 'text' | 'graphic' | 'inner' | 'inline' | 'container';
  box: { x: number; y: number; width: number; height: number };
  role?: string;
  tag?: string;
  /** Of a line, and of a control that has one. */
  text?: string;
}
