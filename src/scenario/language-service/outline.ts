import type { Block, BodyItem } from '../syntax/node.ts';
import type { Analysis } from './analysis.ts';
import type { TextRange } from './source-text.ts';

/** A block or a step, for the outline of an editor. */
export interface OutlineItem {
  readonly name: string;
  readonly kind: 'goal' | 'config' | 'macro' | 'section' | 'step';
  readonly range: TextRange;
  /** The line that names it. */
  readonly selection: TextRange;
  readonly children: readonly OutlineItem[];
}

const KINDS: Readonly<Record<Block['kind'], OutlineItem['kind']>> = {
  GOAL: 'goal',
  CONFIG: 'config',
  MACRO: 'macro',
  FUNC: 'macro',
  HARDWARE: 'section',
  EVENT: 'section',
  AT: 'section',
};

/** The blocks of a text with their steps. */
export function outlineOf({ source, document }: Analysis): OutlineItem[] {
  return document.items.flatMap((item): OutlineItem[] => {
    if (item.type !== 'block') return [];
    const selection = source.range(item.header);
    const range = source.range(item.pos);
    return [
      {
        name: item.name || `${item.keyword || item.kind}:`,
        kind: KINDS[item.kind],
        range: { from: range.from, to: Math.max(range.to, selection.to) },
        selection,
        children: stepsOf(item.items, range.to),
      },
    ];

    function stepsOf(items: readonly BodyItem[], end: number): OutlineItem[] {
      const steps = items.filter((one) => one.type === 'step');
      return steps.map((step, index) => {
        const at = source.range(step.pos);
        const next = steps[index + 1];
        const to = next ? source.offset(next.pos.line, 1) - 1 : end;
        return {
          name: `${step.number} ${step.title}`,
          kind: 'step',
          range: { from: at.from, to: Math.max(at.to, to) },
          selection: at,
          children: [],
        };
      });
    }
  });
}
