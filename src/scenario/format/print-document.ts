import type { Block, BodyItem, Comment, Document, Metadata, TopItem } from '../syntax/node.ts';
import { printBody, printLine, printSection } from './print-body.ts';
import { printName, quote } from './words.ts';

const METADATA_ORDER = ['VERSION', 'SCENARIO', 'DEVICE', 'DEVICE_TYPE', 'DEVICE_MODEL', 'MANUFACTURER'];

/** Prints a tree without errors in canonical form, final newline included. */
export function printDocument(document: Document): string {
  const parts: string[][] = [];
  const firstBlock = document.items.findIndex((item) => item.type === 'block');
  const top = firstBlock < 0 ? document.items : document.items.slice(0, firstBlock);
  const { head, before } = printTop(top, firstBlock >= 0);
  if (head.length > 0) parts.push(head);
  let pending: Comment[] = before;
  for (const item of document.items) {
    if (item.type !== 'block') continue;
    const { own, after } = splitTail(item, document.dialect);
    const lines = printBlock(own, document.dialect);
    if (lines.length > 0 || pending.length > 0) parts.push([...commentsAbove(pending, item), ...lines]);
    pending = after;
  }
  if (pending.length > 0) parts.push(commentLines(pending));
  return `${parts.map((lines) => lines.join('\n')).join('\n\n')}\n`;
}

/** Comments, with one blank line where there were blank lines between them. */
const commentLines = (comments: readonly Comment[]): string[] =>
  comments.flatMap(({ text, pos }, i) =>
    i > 0 && pos.line > comments[i - 1]!.pos.line + 1 ? ['', text] : [text],
  );

/** Comments above a line; a blank line between them and it is kept. */
function commentsAbove(comments: readonly Comment[], item: TopItem | undefined): string[] {
  const last = comments.at(-1);
  const apart = last !== undefined && item !== undefined && item.pos.line > last.pos.line + 1;
  return [...commentLines(comments), ...(apart ? [''] : [])];
}

const withComment = (line: string, comment: string | undefined): string =>
  comment === undefined ? line : `${line}  ${comment}`;

/** Metadata in canonical order, each with the comments above it; then INCLUDE and DEFAULT lines. */
function printTop(items: readonly TopItem[], hasBlocks: boolean): { head: string[]; before: Comment[] } {
  const groups: { comments: Comment[]; item: TopItem }[] = [];
  let comments: Comment[] = [];
  for (const item of items) {
    if (item.type === 'comment') comments.push(item);
    else {
      groups.push({ comments, item });
      comments = [];
    }
  }
  // Comments at the top introduce the file and stay there, whatever is sorted below.
  const intro = groups[0]?.comments ?? [];
  const rank = ({ item }: { item: TopItem }): number => {
    if (item.type !== 'metadata') return METADATA_ORDER.length + 1;
    const place = METADATA_ORDER.indexOf(item.key);
    return place < 0 ? METADATA_ORDER.length : place;
  };
  const sorted = groups
    .map((group, index) => ({ ...group, index }))
    .sort((a, b) => rank(a) - rank(b) || a.index - b.index);
  const head = commentsAbove(intro, groups[0]?.item);
  let sawMetadata = false;
  let sawOther = false;
  for (const { comments: above, item, index } of sorted) {
    if (item.type === 'metadata') sawMetadata = true;
    else if (sawMetadata && !sawOther) head.push('');
    if (item.type === 'include' || item.type === 'statement') sawOther = true;
    if (index > 0) head.push(...commentsAbove(above, item));
    if (item.type === 'section') head.push(...printSection(item, 0));
    else if (item.type === 'statement') head.push(printLine(item, 0));
    else head.push(withComment(printTopItem(item), item.comment));
  }
  if (hasBlocks) return { head, before: comments };
  return { head: [...head, ...commentLines(comments)], before: [] };
}

function printTopItem(item: TopItem): string {
  if (item.type === 'metadata') return printMetadata(item);
  if (item.type === 'include') return `INCLUDE ${quote(item.path?.text ?? '')}`;
  return item.type === 'comment' || item.type === 'unknown' ? item.text : '';
}

function printMetadata({ key, value }: Metadata): string {
  const isQuoted = /^['"]|['"]$|(?:^|\s)#(?:\s|$)/.test(value);
  return `${key}: ${isQuoted ? quote(value) : value}`.trimEnd();
}

/** Comments at the margin after a block belong to the next block. */
function splitTail(block: Block, dialect: Document['dialect']): { own: Block; after: Comment[] } {
  // The name of a goal is printed first, so it keeps no comment in place.
  const isMoved = (item: BodyItem): boolean =>
    dialect === 'flat' && block.kind === 'GOAL' && item.type === 'naming';
  const isMargin = (item: BodyItem): boolean => item.type === 'comment' && item.pos.col === 1;
  const end = block.items.findLastIndex((item) => !isMargin(item) && !isMoved(item)) + 1;
  const tail = block.items.slice(end);
  const own = { ...block, items: [...block.items.slice(0, end), ...tail.filter(isMoved)] };
  return { own, after: tail.filter((item): item is Comment => item.type === 'comment') };
}

function printBlock(block: Block, dialect: Document['dialect']): string[] {
  const level = block.style === 'at-goal' || block.style === 'implicit' ? 1 : 0;
  const lines =
    block.style === 'implicit'
      ? []
      : [withComment('  '.repeat(level) + printHeader(block, dialect), block.comment)];
  let { items } = block;
  if (dialect === 'flat' && block.kind === 'GOAL') {
    const naming = items.findLast((item) => item.type === 'naming');
    items = items.filter((item) => item.type !== 'naming' || item.comment !== undefined);
    if (block.name !== '') {
      lines.push(withComment(`  SET NAME ${quote(block.name)}`, naming?.comment));
      items = items.filter((item) => item.type !== 'naming');
    }
  }
  lines.push(...printBody(items as readonly BodyItem[], level + 1));
  return lines;
}

function printHeader(block: Block, dialect: Document['dialect']): string {
  if (block.style === 'at') return block.keyword;
  if (block.style === 'at-goal') return `${block.headerName}:`;
  const keyword = dialect === 'legacy' ? block.keyword : block.kind;
  const name = block.headerName;
  if (name === undefined || (dialect === 'flat' && block.kind === 'GOAL')) return `${keyword}:`;
  if (dialect === 'legacy') {
    const shown = /^['"]|['"]$|:$|(?:^|\s)#(?:\s|$)/.test(name) ? quote(name) : name;
    return block.style === 'after-colon' ? `${keyword}: ${shown}` : `${keyword} ${shown}:`;
  }
  return `${keyword} ${printName(name)}:`;
}
