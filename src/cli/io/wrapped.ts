const DEFAULT_COLUMNS = 80;
/** Narrower than this nothing can be read. */
const LEAST_TEXT = 16;

/** Lines of a text no wider than the terminal, 80 columns where there is none; those after the first are indented. */
export function wrapped(
  text: string,
  { columns = DEFAULT_COLUMNS }: { columns?: number },
  indent = 0,
): string[] {
  const depth = Math.max(0, Math.min(indent, columns - LEAST_TEXT));
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(/(?<=\S)(?= )/)) {
    if (line.length + word.length > columns && line.trim() !== '') {
      lines.push(line);
      line = ' '.repeat(depth) + word.trimStart();
    } else line += word;
  }
  return [...lines, line];
}
