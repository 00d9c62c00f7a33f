import { type FlatItem, hasInlineElse, isPrompt, isRangeIf, isRepeatStop, statementOf } from './flat-item.ts';
import type { Statement } from './node.ts';

type Opener = 'IF' | 'IF_FAIL' | 'LOOP' | 'REPEAT';

interface OpenBlock {
  readonly opener: Opener;
  readonly index: number;
  readonly indent: number;
}

/** Which kinds of block a closing line may end, or undefined when the line closes nothing. */
function closes(statement: Statement): readonly Opener[] | undefined {
  if (statement.command === 'ENDIF') return ['IF', 'IF_FAIL'];
  if (statement.command === 'ENDLOOP') return ['LOOP'];
  if (statement.command === 'END') return ['IF_FAIL', 'IF', 'LOOP'];
  return isRepeatStop(statement) ? ['REPEAT'] : undefined;
}

function opens(statement: Statement): Opener | undefined {
  const { command } = statement;
  if (command === 'LOOP' || command === 'IF_FAIL') return command;
  if (command === 'REPEAT') return isRepeatStop(statement) ? undefined : command;
  return command === 'IF' && !isRangeIf(statement) && !hasInlineElse(statement) ? 'IF' : undefined;
}

/**
 * Pairs each closing line of a block with the line it closes: the nearest open one of its kind at the same
 * indentation, else the nearest of its kind. A line further left closes every deeper block.
 * @returns index of the opener -> index of its closer
 */
export function matchClosers(items: readonly FlatItem[]): Map<number, number> {
  const closerOf = new Map<number, number>();
  let open: OpenBlock[] = [];
  for (let index = 0; index < items.length; index++) {
    const statement = statementOf(items[index]);
    if (!statement) continue;
    const { indent } = statement;
    const kinds = closes(statement);
    if (kinds) {
      const at = pick(open, kinds, indent, index);
      if (at >= 0) {
        closerOf.set(open[at]!.index, index);
        open = open.slice(0, at);
      }
      continue;
    }
    if (open.length > 0 && open[open.length - 1]!.indent > indent)
      open = open.filter((entry) => entry.indent <= indent);
    const opener = opens(statement);
    if (opener) open.push({ opener, index, indent });
    const prompt = promptOf(items, index);
    // An ELSE at the indentation of an open IF belongs to that IF.
    if (prompt !== undefined && !open.some((one) => one.opener === 'IF' && one.indent === indent))
      open.push({ opener: 'IF', index: prompt, indent });
  }
  return closerOf;
}

/** Index of the prompt whose branch an ELSE line opens; undefined for all other lines. */
function promptOf(items: readonly FlatItem[], index: number): number | undefined {
  const statement = statementOf(items[index]);
  if (statement?.command !== 'ELSE' || statement.tokens.length > 1) return undefined;
  let before = index - 1;
  while (before >= 0 && items[before]!.node.type === 'comment') before--;
  const prompt = statementOf(items[before]);
  const isOwn = prompt && isPrompt(prompt) && !hasInlineElse(prompt) && prompt.indent === statement.indent;
  return isOwn ? before : undefined;
}

function pick(open: readonly OpenBlock[], kinds: readonly Opener[], indent: number, closer: number): number {
  const candidates: number[] = [];
  for (let i = open.length - 1; i >= 0; i--) if (kinds.includes(open[i]!.opener)) candidates.push(i);
  const level = candidates.filter((i) => open[i]!.indent === indent);
  // An IF directly before the closer would have an empty body: the outer one is meant.
  const filled = level.find((i) => open[i]!.index + 1 < closer);
  return filled ?? level[0] ?? candidates[0] ?? -1;
}
