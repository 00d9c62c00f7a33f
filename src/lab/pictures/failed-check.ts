import type { TerminalRecording } from './recording.ts';
import { element, escaped, MONO, picture, TYPE } from './svg.ts';

const BACKGROUND = '#15181b';
const FOREGROUND = '#e6e9ec';
/** Colours of a terminal, by the code of the escape sequence. */
const ANSI: Readonly<Record<string, string>> = {
  '2': '#9aa5b1',
  '31': '#ff8a80',
  '32': '#5cc98a',
  '33': '#f0c060',
};
const LINE_PX = 18;
const MARGIN_PX = 20;
/** Width of a character, as a share of its size. */
const ADVANCE = 0.602;
/** The first line of the block that is shown from its beginning. */
const FROM = /SET 'valve-sc' open$/;

/** A run with a failed check, as the terminal shows it. The blocks before the failed one are left out. */
export function failedCheck({ command, output }: TerminalRecording): string {
  const all = output.trimEnd().split('\n');
  const from = all.findIndex((one) => FROM.test(one));
  const lines = [`$ ${command}`, '  ⋮', ...all.slice(from)];
  const columns = Math.max(...lines.map((one) => plain(one).length));
  return picture({
    width: Math.ceil(columns * TYPE.text * ADVANCE) + 2 * MARGIN_PX,
    height: lines.length * LINE_PX + 2 * MARGIN_PX,
    background: BACKGROUND,
    title: `Terminal: ${command}. One check is failed: the mask leaks.`,
    content: lines.map((one, n) =>
      element(
        'text',
        {
          x: MARGIN_PX,
          y: MARGIN_PX + n * LINE_PX + TYPE.text,
          'font-family': MONO,
          'font-size': TYPE.text,
          fill: FOREGROUND,
          'xml:space': 'preserve',
        },
        spans(one),
      ),
    ),
  });
}

/** Of a colour: ESC [ code m. */
const SEQUENCE = new RegExp(`${String.fromCharCode(27)}\\[(\\d*)m`);
const plain = (line: string): string =>
  line
    .split(SEQUENCE)
    .filter((_, n) => n % 2 === 0)
    .join('');

/** Each part of the line in the colour that is on then. */
function spans(line: string): string {
  const [first = '', ...rest] = line.split(SEQUENCE);
  const parts = rest.flatMap((code, n) => (n % 2 === 0 ? [{ code, text: rest[n + 1] ?? '' }] : []));
  return [
    escaped(first),
    ...parts.map(({ code, text }) => {
      const fill = ANSI[code];
      return fill ? element('tspan', { fill }, escaped(text)) : escaped(text);
    }),
  ].join('');
}
