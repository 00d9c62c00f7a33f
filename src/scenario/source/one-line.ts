const LINE_ENDS = /[\r\n\u2028\u2029]+/;

/** A text on one line: each line end, with the blanks around it, as one blank. Linear in the length of the text. */
export function oneLine(text: string): string {
  const [first, ...rest] = text.split(LINE_ENDS);
  if (rest.length === 0) return text;
  const last = rest.pop()!;
  const inner = rest.map((line) => line.trim()).filter((line) => line !== '');
  return [first!.trimEnd(), ...inner, last.trimStart()].join(' ');
}
