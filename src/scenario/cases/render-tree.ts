import type { Pos } from '../source/position.ts';
import type { BodyItem, Document, Node, Statement } from '../syntax/node.ts';

/** The text at a position, or undefined when it is not text of the input. */
export type TextAt = (pos: Pos) => string | undefined;

/**
 * A tree as indented lines: type, details and, behind `|`, the first line of the text that the node's own position
 * selects, so that every position is judged too. Included documents follow with their nodes.
 */
export function renderTree({ items, includes }: Document, textAt: TextAt): string[] {
  return [
    ...items.flatMap((item) => renderNode(item, textAt)),
    ...includes.flatMap((one) => ['included', ...indent(renderTree(one, textAt))]),
  ];
}

const indent = (lines: readonly string[]) => lines.map((line) => `  ${line}`);

function renderNode(node: Exclude<Node, Document>, textAt: TextAt): string[] {
  const place = node.type === 'block' ? node.header : node.pos;
  const selected = textAt(place)?.split('\n')[0]?.trimEnd();
  const comment = node.comment === undefined ? '' : ` ${node.comment}`;
  const line = `${describe(node)}${selected === undefined ? '' : ` | ${selected}`}${comment}`;
  return [line, ...indent(children(node, textAt))];
}

function describe(node: Exclude<Node, Document>): string {
  switch (node.type) {
    case 'block':
      return `block ${node.kind} ${node.style} '${node.name}'`;
    case 'metadata':
    case 'attribute':
      return `${node.type} ${node.key} '${node.value}'`;
    case 'section':
      return `section ${node.name}`;
    case 'step':
      return `step ${node.number} '${node.title}'`;
    case 'naming':
      return `naming '${node.name}'`;
    case 'statement':
      return `statement ${node.command}${node.role ? ` ${node.role}` : ''}`;
    case 'comment':
    case 'include':
    case 'unknown':
      return node.type;
  }
}

function children(node: Exclude<Node, Document>, textAt: TextAt): string[] {
  const all = (items: readonly BodyItem[]) => items.flatMap((item) => renderNode(item, textAt));
  if (node.type === 'block') return all(node.items);
  if (node.type === 'section') return node.lines.map(({ pos }) => `line | ${textAt(pos) ?? ''}`);
  if (node.type !== 'statement') return [];
  const one: Statement = node;
  return [
    ...(one.alternatives ?? []).flatMap((item) => renderNode(item, textAt)),
    ...all(one.body ?? []),
    ...(one.elseLine ? renderNode(one.elseLine, textAt) : []),
    ...all(one.otherwise ?? []),
    ...(one.closer ? renderNode(one.closer, textAt) : []),
  ];
}
