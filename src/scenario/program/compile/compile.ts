import type { Registry } from '../../../rig/registry/registry.ts';
import type { Diagnostics } from '../../diagnostics/collector.ts';
import type { GoalMarks } from '../../events/event.ts';
import type { GivenVariable } from '../../run/variables.ts';
import type { Pos } from '../../source/position.ts';
import type { Block, Document } from '../../syntax/node.ts';
import type { Instruction } from '../instruction.ts';
import { judgementOf } from '../judgement.ts';
import type { Program, ProgramBlock } from '../program.ts';
import { compileBody } from './body.ts';
import { defaultLines, readDefaults } from './defaults.ts';
import { checkBlock } from './goal-checks.ts';
import { checkRecursion, gatherMacros } from './macros.ts';
import { gatherDefinitions, gatherReads, statementsIn } from './names-prepass.ts';
import { Parameters } from './parameters.ts';
import { Names, type Scope, type Site } from './scope.ts';

export interface CompileOptions {
  readonly registry: Registry;
  /** Variables that were given for the run: constants of it. */
  readonly given: Readonly<Record<string, GivenVariable>>;
}

/** Turns a tree into what the interpreter executes, reporting all that can be known without running it. */
export function compile(document: Document, diagnostics: Diagnostics, options: CompileOptions): Program {
  const { given } = options;
  const names = new Names(Object.keys(given));
  gatherDefinitions(document, options.registry, names);
  let reads: ReadonlySet<string> | undefined;
  const macros = gatherMacros(document, diagnostics);
  const scope: Scope = {
    diagnostics,
    registry: options.registry,
    declaredVersion: document.declaredVersion,
    dialect: document.dialect,
    macros,
    names,
    defaults: defaultLines(document),
    isReadSomewhere: (name) => {
      reads ??= gatherReads(document);
      return reads.has(name);
    },
    fullScaleLpm: options.registry.pumpFullScaleLpm,
    expanded: 0,
    savesReading: new WeakSet(),
    compileBody: (items, site) => compileBody(items, scope, site),
  };
  const site: Site = {
    stack: [],
    chain: [],
    args: undefined,
    definition: false,
    report: (code, message, pos, extra) => diagnostics.add(code, message, pos, extra),
  };
  const defaults = readDefaults(document, scope, site);
  const parameters = new Parameters(given, defaults, scope, site);
  checkRecursion(macros, diagnostics);
  for (const macro of macros.values()) checkMacro(macro.block, scope, site);
  const runnable = runnableBlocks(document);
  checkNames(document, runnable, scope, site);
  const lastGoal = runnable.findLastIndex((block) => block.kind !== 'CONFIG');
  const blocks = runnable.map((block, index): ProgramBlock => {
    const isOptional = marksOptional(block, site);
    const compiled = new LazyBlock({
      index,
      kind: block.kind === 'CONFIG' ? 'CONFIG' : 'GOAL',
      name: block.name || `${block.kind === 'CONFIG' ? 'config' : 'goal'} ${index + 1}`,
      teardown: block.kind === 'CONFIG' && lastGoal >= 0 && index > lastGoal,
      pos: block.pos,
      isOptional,
      compile: () => {
        scope.expanded = 0;
        return compileBody(block.items, scope, site);
      },
    });
    const instructions = compiled.compileOnce();
    checkBlock(compiled, instructions, block.header, scope, site);
    parameters.note(instructions);
    return compiled;
  });
  parameters.check(document.pos);
  names.settle(
    new Set(
      blocks
        .filter((block) => block.kind === 'GOAL')
        .map((block) => block.name)
        .flatMap(withLastPart),
    ),
  );
  const metadata = metadataOf(document);
  return {
    file: document.file,
    scenario: metadata.SCENARIO ?? atName(document) ?? null,
    version: document.version,
    dialect: document.dialect,
    metadata,
    defaults: Object.fromEntries([...defaults].map(([name, { value }]) => [name, value])),
    blocks,
    uses: names.uses,
  };
}

/**
 * A block whose instructions are made when they are asked for. Checking a scenario compiles each block and lets it go
 * again, so that a long text needs no more memory than its tree.
 */
class LazyBlock implements ProgramBlock {
  readonly index: number;
  readonly kind: 'GOAL' | 'CONFIG';
  readonly name: string;
  readonly teardown: boolean;
  readonly pos: Pos;
  readonly #isOptional: boolean;
  #isProcedure = false;
  readonly #compile: () => readonly Instruction[];
  #instructions: readonly Instruction[] | undefined;

  constructor(
    parts: Omit<ProgramBlock, 'instructions' | 'marks'> & {
      isOptional: boolean;
      compile: () => readonly Instruction[];
    },
  ) {
    this.index = parts.index;
    this.kind = parts.kind;
    this.name = parts.name;
    this.teardown = parts.teardown;
    this.pos = parts.pos;
    this.#isOptional = parts.isOptional;
    this.#compile = parts.compile;
  }

  get marks(): GoalMarks {
    return {
      ...(this.#isProcedure ? { procedure: true } : {}),
      ...(this.#isOptional ? { optional: true } : {}),
    };
  }

  get instructions(): readonly Instruction[] {
    this.#instructions ??= this.#compile();
    return this.#instructions;
  }

  /** Compiles without keeping the result. */
  compileOnce(): readonly Instruction[] {
    const instructions = this.#compile();
    this.#isProcedure = this.kind === 'GOAL' && judgementOf(instructions) === 'none';
    return instructions;
  }
}

/** True for a goal with a line OPTIONAL of its own. Anywhere else the line is an error: nothing is optional by half. */
function marksOptional(block: Block, { report }: Site): boolean {
  let isOptional = false;
  for (const statement of statementsIn(block.items)) {
    if (statement.command !== 'OPTIONAL') continue;
    if (block.kind === 'GOAL' && block.items.some((item) => item === statement)) isOptional = true;
    else
      report(
        'SCN278',
        "OPTIONAL marks a goal; put it on its own line in the goal, below the goal's name",
        statement.pos,
      );
  }
  return isOptional;
}

/** An @-form goal `Rig.Mask/Hold` is also found as `Hold`. */
export const withLastPart = (name: string): string[] => {
  const slash = name.lastIndexOf('/');
  return slash < 0 ? [name] : [name, name.slice(slash + 1)];
};

const runnableBlocks = (document: Document): Block[] =>
  document.items.filter(
    (item): item is Block => item.type === 'block' && (item.kind === 'GOAL' || item.kind === 'CONFIG'),
  );

const atName = (document: Document): string | undefined =>
  document.items.find((item): item is Block => item.type === 'block' && item.kind === 'AT')?.name;

/** A macro body is read where it is defined, so that a fault is reported also when nothing calls it. */
function checkMacro(block: Block, scope: Scope, site: Site): void {
  if (isEmpty(block)) site.report('SCN115', `the macro ${block.name} is empty`, block.header);
  marksOptional(block, site);
  compileBody(block.items, scope, { ...site, chain: [block.name], definition: true });
}

const isEmpty = (block: Block): boolean =>
  !block.items.some((item) => item.type === 'statement' || item.type === 'step' || item.type === 'unknown');

function checkNames(document: Document, runnable: readonly Block[], scope: Scope, site: Site): void {
  const seen = new Map<string, Block>();
  for (const block of runnable) {
    if (block.name === '' && block.kind === 'GOAL')
      site.report('SCN112', "this goal has no name; write SET NAME '...' as its first line", block.header, {
        severity: scope.declaredVersion !== undefined && scope.declaredVersion >= 4 ? 'E' : 'W',
      });
    if (block.kind === 'GOAL' && (block.style === 'after-colon' || block.style === 'before-colon'))
      site.report(
        'SCN113',
        `the name of a goal belongs on its own line: write GOAL: and below it SET NAME '${block.headerName}'`,
        block.header,
      );
    if (isEmpty(block))
      site.report(
        'SCN115',
        `${block.keyword || 'the goal'} ${block.name} is empty`.replace('  ', ' '),
        block.header,
      );
    const key = `${block.kind} ${block.name}`;
    const before = seen.get(key);
    if (before && block.name !== '')
      site.report(
        'SCN114',
        `${block.kind} "${block.name}" is already defined on line ${before.header.line}; give each its own name`,
        block.header,
      );
    else seen.set(key, block);
  }
  let macros = 0;
  for (const item of document.items) {
    if (item.type !== 'block') continue;
    if (item.kind === 'MACRO' || item.kind === 'FUNC') {
      macros++;
      if (item.name === '')
        site.report('SCN123', `${item.kind} needs a name, for example MACRO hold:`, item.header);
    } else if (item.kind === 'HARDWARE' || item.kind === 'EVENT')
      site.report('SCN118', `${item.kind} blocks are accepted but not executed`, item.header);
  }
  if (runnable.length === 0 && macros > 0)
    site.report('SCN005', 'this file contains only macros; it is a library for INCLUDE', {
      ...document.pos,
      endLine: 1,
      endCol: 1,
    });
}

/** Metadata of the document; `DEVICE: type / model / maker` fills keys that are absent. */
function metadataOf(document: Document): Record<string, string> {
  const metadata: Record<string, string> = {};
  for (const item of document.items) if (item.type === 'metadata') metadata[item.key] ??= item.value;
  const device = metadata.DEVICE?.split('/').map((part) => part.trim()) ?? [];
  for (const [i, key] of ['DEVICE_TYPE', 'DEVICE_MODEL', 'MANUFACTURER'].entries()) {
    const part = device[i];
    if (part) metadata[key] ??= part;
  }
  return metadata;
}
