import { performRun } from '../../scenario/perform-run.ts';
import { loadChecked } from '../../scenario/safety/load-checked.ts';
import type { Io } from '../io/io.ts';
import type { Workspace } from './workspace.ts';

/** What an editor shows of a dry-run. */
export interface DryRun {
  readonly outcome: string;
  readonly ok: boolean;
  /** The text output of `svcctl run`. */
  readonly lines: readonly string[];
}

/**
 * Runs the text as `svcctl run` does without hardware: nothing is sent, time is virtual.
 * @param goal only this goal; default all
 * @throws ConfigError when `svc.yaml` cannot be used
 */
export async function dryRun(
  workspace: Workspace,
  { file, text, goal }: { readonly file: string; readonly text: string; readonly goal?: string | undefined },
  { clock }: Io,
): Promise<DryRun> {
  const { registry, limits, interlocks } = await workspace.rig();
  const loaded = loadChecked(text, file, {
    loader: workspace.loader(file),
    safety: { registry, limits, interlocks },
    // As in svcctl run: a dry-run reports what is unsafe and goes on.
    warnsOf: () => true,
    ...(goal === undefined ? {} : { goals: [goal] }),
  });
  const lines: string[] = [];
  const { outcome, ok } = await performRun(loaded, file, {
    clock,
    registry,
    out: (line) => lines.push(line),
  });
  return { outcome, ok, lines };
}
