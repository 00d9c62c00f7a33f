import type { Registry } from '../../rig/registry/registry.ts';
import type { Result } from '../run/result.ts';
import type { GivenVariable } from '../run/variables.ts';
import type { IncludeLoader } from '../syntax/include-loader.ts';

export interface DryRunOptions {
  readonly strict: boolean;
  readonly registry?: Registry;
  readonly loader?: IncludeLoader;
  readonly variables?: Readonly<Record<string, GivenVariable>>;
}

/** What a profile needs to know of a dry-run. */
export type DryRunResult = Pick<Result, 'ok' | 'outcome' | 'diagnostics' | 'goals'>;

/** Runs a scenario without hardware. Injected, so that a crash of the interpreter can be proven to be reported. */
export type DryRun = (source: string, file: string, options: DryRunOptions) => Promise<DryRunResult>;

/** The interpreter of the house, loaded when the first profile needs it. */
export const dryRunScenario: DryRun = async (source, file, { strict, registry, loader, variables }) => {
  const { Interpreter } = await import('../interpreter.ts');
  const interpreter = new Interpreter({
    mode: 'dry-run',
    quiet: true,
    strict,
    out: () => {},
    ...(registry ? { registry } : {}),
    ...(loader ? { loader } : {}),
    ...(variables ? { variables } : {}),
  });
  return interpreter.run(source, file);
};

/** One sentence for a dry-run that was not ok: its outcome and the first goal that has a message. */
export function describeFailure({ outcome, goals }: DryRunResult): string {
  const worst = goals.find((goal) => goal.outcome !== null && goal.outcome !== 'passed' && goal.message);
  return `dry-run ended ${outcome}${worst ? `: ${worst.name}: ${worst.message}` : ''}`;
}
