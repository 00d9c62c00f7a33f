/** Runs in a page of the browser. Its value: the `Mark`s of the page, in the order in which they are drawn. */
export const LAYOUT_SCRIPT = `(() => {
  const marks = [];
  const round = (value) => Math.round(value * 10) / 10;
  const isSeen = (colour) => colour !== 'rgba(0, 0, 0, 0)' && colour !== 'transparent';
  const drawBox = (element, style) => {
    const { x, y, width, height, bottom } = element.getBoundingClientRect();
    const fill = isSeen(style.backgroundColor) ? style.backgroundColor : null;
    const isFramed = style.borderTopStyle !== 'none' && parseFloat(style.borderTopWidth) > 0;
    const isRuled = style.borderBottomStyle !== 'none' && parseFloat(style.borderBottomWidth) > 0;
    if (fill || isFramed)
      marks.push({
        kind: 'box', x: round(x), y: round(y), width: round(width), height: round(height), fill,
        stroke: isFramed ? style.borderTopColor : null, strokeWidth: parseFloat(style.borderTopWidth),
        isDashed: style.borderTopStyle === 'dashed', radius: parseFloat(style.borderTopLeftRadius) || 0,
      });
    if (isRuled && !isFramed)
      marks.push({
        kind: 'box', x: round(x), y: round(bottom - 1), width: round(width), height: 1,
        fill: style.borderBottomColor, stroke: null, strokeWidth: 0, isDashed: false, radius: 0,
      });
  };
  // One mark for each line of a text that wraps.
  const drawText = (node, style) => {
    const range = document.createRange();
    const lines = new Map();
    [...node.textContent].forEach((letter, i) => {
      range.setStart(node, i);
      range.setEnd(node, i + 1);
      const [box] = range.getClientRects();
      if (!box) return;
      const line = lines.get(box.bottom) ?? { x: box.x, text: '', right: 0 };
      line.text += letter;
      if (letter.trim()) line.right = box.right;
      lines.set(box.bottom, line);
    });
    const size = parseFloat(style.fontSize);
    for (const [bottom, { x, text, right }] of lines)
      if (text.trim() !== '')
        marks.push({
          kind: 'text', x: round(x), y: round(bottom - size * 0.24), width: round(right - x), size, colour: style.color,
          text: style.textTransform === 'uppercase' ? text.toUpperCase() : text.trimEnd(),
          isBold: Number(style.fontWeight) >= 600,
        });
  };
  for (const element of document.body.querySelectorAll('*')) {
    if (element.closest('svg, details')) continue;
    const style = getComputedStyle(element);
    drawBox(element, style);
    for (const node of element.childNodes)
      if (node.nodeType === Node.TEXT_NODE && node.textContent.trim()) drawText(node, style);
  }
  return marks;
})()`;
