import type { Outcome } from '../events/event.ts';
import type { Program, ProgramBlock } from '../program/program.ts';
import { countedOutcome, overEntries, overRetries, type Verdict, worse } from './outcome.ts';
import type { GoalResult } from './result.ts';

interface Entry {
  readonly block: ProgramBlock;
  outcome: Outcome | undefined;
  attempts: number;
  /** Times it was entered by order or GOTO; retries do not count. */
  entries: number;
  checks: number;
  failedChecks: number;
  durationMs: number;
  message: string | undefined;
  /** Verdict of the entries before this one. */
  earlier: Verdict | undefined;
  /** Verdict of this entry, after the retries so far. */
  thisEntry: Verdict | undefined;
}

/** Asked for and never entered: being OPTIONAL does not excuse it. */
const isMissing = ({ outcome, entries }: Entry): boolean => outcome === 'inconclusive' && entries === 0;

/** The verdicts of the blocks of a run. */
export class VerdictSummary {
  readonly #entries: Entry[];

  constructor(program: Program) {
    this.#entries = program.blocks.map((block) => ({
      block,
      outcome: undefined,
      attempts: 0,
      entries: 0,
      checks: 0,
      failedChecks: 0,
      durationMs: 0,
      message: undefined,
      earlier: undefined,
      thisEntry: undefined,
    }));
  }

  #entry({ index }: ProgramBlock): Entry {
    return this.#entries[index]!;
  }

  /** @returns how often the block has been entered now */
  enter(block: ProgramBlock): number {
    const entry = this.#entry(block);
    const { outcome, checks, failedChecks, message } = entry;
    entry.earlier = outcome && { outcome, checks, failedChecks, message };
    entry.thisEntry = undefined;
    return ++entry.entries;
  }

  outcomeOf(block: ProgramBlock): Outcome | undefined {
    return this.#entry(block).outcome;
  }

  /** How often the block has been entered; retries do not count. */
  entriesOf(block: ProgramBlock): number {
    return this.#entry(block).entries;
  }

  nextAttempt(block: ProgramBlock): number {
    return this.#entry(block).attempts + 1;
  }

  /**
   * Takes the verdict of an attempt. A retry replaces the attempt before it, an entry adds to those before.
   * @returns the verdict of the block over all its entries
   */
  end(block: ProgramBlock, own: Verdict, durationMs: number): Verdict {
    const entry = this.#entry(block);
    entry.attempts++;
    entry.durationMs += durationMs;
    entry.thisEntry = overRetries(entry.thisEntry, own);
    const verdict = overEntries(entry.earlier, entry.thisEntry);
    Object.assign(entry, verdict);
    return verdict;
  }

  /** An outcome without an attempt: skipped, or not entered any more. */
  note(block: ProgramBlock, outcome: Outcome, message?: string): void {
    const entry = this.#entry(block);
    entry.outcome = entry.outcome === undefined ? outcome : worse(entry.outcome, outcome);
    if (message !== undefined) entry.message = message;
  }

  /** What each block adds to the outcome of the run. */
  outcomes(): Outcome[] {
    return this.#entries.map((entry) => {
      const { block, outcome } = entry;
      return isMissing(entry) ? 'inconclusive' : countedOutcome(outcome ?? 'skipped', block.marks);
    });
  }

  /** Blocks that passed. A procedure has no verdict. */
  get passed(): number {
    return this.#entries.filter(({ block, outcome }) => outcome === 'passed' && !block.marks.procedure)
      .length;
  }

  get total(): number {
    return this.#entries.length;
  }

  /** True when a goal was run, whatever came of it. */
  get testedSomething(): boolean {
    return this.#entries.some(({ block, attempts }) => block.kind === 'GOAL' && attempts > 0);
  }

  /** True when a goal has a verdict that rests on its checks. */
  get judgedSomething(): boolean {
    return this.#entries.some(
      ({ block, outcome }) =>
        block.kind === 'GOAL' && (outcome === 'failed' || (outcome === 'passed' && !block.marks.procedure)),
    );
  }

  /** Goals without a verdict that the run needs: neither an earlier nor a later entry gave one. */
  inconclusive(): { block: ProgramBlock; message: string | undefined }[] {
    return this.#entries.filter(
      (entry) =>
        isMissing(entry) || (entry.outcome === 'inconclusive' && entry.block.marks.optional === undefined),
    );
  }

  /** @param judged false in validate mode: outcomes are null */
  results(judged = true): GoalResult[] {
    return this.#entries.map(({ block, outcome, attempts, checks, failedChecks, durationMs, message }) => ({
      index: block.index,
      kind: block.kind,
      name: block.name,
      teardown: block.teardown,
      ...block.marks,
      outcome: judged ? (outcome ?? 'skipped') : null,
      checks,
      failedChecks,
      attempts,
      durationMs: Math.round(durationMs * 1000) / 1000,
      ...(message === undefined ? {} : { message }),
      pos: block.pos,
    }));
  }
}
