import {
  isMap,
  isNode,
  isScalar,
  isSeq,
  type Node,
  parseDocument,
  Scalar,
  stringify,
  type YAMLMap,
} from 'yaml';

type Path = readonly (string | number)[];

/**
 * The text with one value set at its place and every other character as it was; undefined where that is not as simple
 * as a scalar in place of a scalar, or a new key in a map.
 */
export function splice(text: string, path: Path, value: unknown): string | undefined {
  let node: unknown = parseDocument(text).contents;
  if (node === null) return endWithLine(text) + stringify(nest(path, value), { lineWidth: 0 });
  for (const [depth, key] of path.entries()) {
    if (!isMap(node) && !isSeq(node)) return undefined;
    const child: unknown = node.get(key, true);
    if (child === undefined) return isMap(node) ? insert(text, node, path.slice(depth), value) : undefined;
    node = child;
  }
  return isScalar(node) ? replace(text, node, value) : undefined;
}

function replace(text: string, node: Scalar, value: unknown): string | undefined {
  const [start, end] = node.range ?? [0, 0];
  if (typeof value === 'object' || start === end || node.anchor || isBlockText(node)) return undefined;
  return text.slice(0, start) + inline(value, node.type) + text.slice(end);
}

function insert(text: string, map: YAMLMap, [key = '', ...rest]: Path, value: unknown): string | undefined {
  if (map.flow) return insertInBraces(text, map, `${inline(key)}: ${inline(nest(rest, value))}`);
  const first = map.items[0]?.key as Node | undefined;
  const last = lastOf(map);
  if (!first?.range || !last?.range || isBlockText(last)) return undefined;
  const [keyAt] = first.range;
  const indent = ' '.repeat(keyAt - (text.lastIndexOf('\n', keyAt - 1) + 1));
  const lines = stringify({ [key]: nest(rest, value) }, { lineWidth: 0 })
    .trimEnd()
    .split('\n');
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  const found = text.indexOf(eol, last.range[1]);
  const at = found < 0 ? text.length : found;
  return text.slice(0, at) + lines.map((line) => eol + indent + line).join('') + text.slice(at);
}

/** Behind the last value: comments and line ends come after that. */
function insertInBraces(text: string, map: YAMLMap, pair: string): string | undefined {
  const last = map.items.at(-1);
  const end = nodeEnd(last?.value) ?? nodeEnd(last?.key);
  const at = last === undefined ? (map.range?.[0] ?? 0) + 1 : end;
  return at === undefined
    ? undefined
    : `${text.slice(0, at)}${last === undefined ? '' : ', '}${pair}${text.slice(at)}`;
}

const nodeEnd = (node: unknown): number | undefined => (isNode(node) ? node.range?.[1] : undefined);

/** On one line, as it may stand anywhere, also inside of braces. */
function inline(value: unknown, type?: Scalar['type']): string {
  const quoted = typeof value === 'string' && (type === 'QUOTE_DOUBLE' || type === 'QUOTE_SINGLE');
  const scalar = new Scalar(value);
  if (quoted) scalar.type = type;
  const list = stringify([typeof value === 'object' ? value : scalar], {
    lineWidth: 0,
    collectionStyle: 'flow',
    flowCollectionPadding: false,
  });
  const text = list.trim().slice(1, -1);
  return text.includes('\n') ? JSON.stringify(value) : text;
}

function lastOf(node: unknown): Node | undefined {
  if (isMap(node) && !node.flow) {
    const pair = node.items.at(-1);
    return lastOf(pair?.value) ?? (pair?.key as Node | undefined);
  }
  if (isSeq(node) && !node.flow) return lastOf(node.items.at(-1));
  return (node as Node | null) ?? undefined;
}

const isBlockText = (node: Node): boolean =>
  isScalar(node) && (node.type === 'BLOCK_FOLDED' || node.type === 'BLOCK_LITERAL');

const nest = (path: Path, value: unknown): unknown =>
  path.reduceRight<unknown>((inner, key) => ({ [key]: inner }), value);

const endWithLine = (text: string): string => (text === '' || text.endsWith('\n') ? text : `${text}\n`);
