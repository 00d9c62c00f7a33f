import type { Mark, ReportRecording } from './recording.ts';
import { box, element, escaped, picture } from './svg.ts';

/** The page is cut above the heading of the samples. */
const SAMPLES_ABOVE_PX = 34;

/** The head of the HTML report, where the browser put its texts and boxes. */
export function reportHead({ width, height, marks }: ReportRecording): string {
  const samples = marks.find((mark) => mark.kind === 'text' && mark.text === 'Samples');
  const bottom = samples ? samples.y - SAMPLES_ABOVE_PX : height;
  return picture({
    width,
    height: bottom,
    title:
      'Head of the report of a failed run: verdict, facts, blocks and checks with limits and measured values.',
    content: marks.filter(({ y }) => y < bottom).map(drawn),
  });
}

function drawn(mark: Mark): string {
  if (mark.kind === 'box') {
    const { x, y, width, height, fill, stroke, strokeWidth, isDashed, radius } = mark;
    return box(x, y, width, height, {
      fill: fill ?? 'none',
      ...(stroke ? { stroke, 'stroke-width': strokeWidth } : {}),
      ...(isDashed ? { 'stroke-dasharray': '5 4' } : {}),
      ...(radius > 0 ? { rx: radius } : {}),
    });
  }
  const { x, y, width, text, size, isBold, colour } = mark;
  return element(
    'text',
    {
      x,
      y,
      'font-size': size,
      fill: colour,
      'font-weight': isBold ? 600 : undefined,
      // Fonts differ from machine to machine; the columns stay where they are.
      textLength: width,
      lengthAdjust: 'spacingAndGlyphs',
    },
    escaped(text),
  );
}
