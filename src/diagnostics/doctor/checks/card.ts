import { type Check, type DoctorSignals, seen } from '../finding.ts';

const REPORT = '/data/svc-rig/first-boot.json';
const NAME = '/run/svc-rig-name.json';

/** Group D: the card of an appliance; a rig that was installed otherwise has none of these files. */
export const cardChecks: readonly Check[] = [
  {
    code: 'host_name_conflict',
    severity: 'error',
    repair: 'rename_rig',
    find: (signals) => {
      const { name, others } = fileOf(signals, NAME);
      const found = textsOf(others);
      if (found.length === 0) return undefined;
      return {
        message: `another machine on this network is called ${String(name)} too: ${found.join(', ')}`,
        evidence: [seen(NAME, `others ${found.join(', ')}`)],
        cause:
          'two cards were written from one that had started already, or both have one hostname in rig.txt',
        remedy: 'give one of them another hostname in rig.txt on its card, and start it again',
      };
    },
  },
  {
    code: 'card_problem',
    severity: 'error',
    repair: 'mend_card',
    find: (signals) => {
      const problems = textsOf(fileOf(signals, REPORT).problems);
      return problems
        .filter((problem) => !problem.startsWith('another machine on this network'))
        .map((problem) => ({
          message: problem,
          evidence: [seen(REPORT, 'problems')],
          cause: 'found by svc-first-boot at the last start',
          remedy: 'do what the sentence says, then restart the rig; docs/rig-txt.md explains the card',
        }));
    },
  },
  {
    code: 'rig_txt_not_applied',
    severity: 'warn',
    repair: 'correct_rig_txt',
    find: (signals) => {
      const { faults } = fileOf(signals, REPORT);
      return (Array.isArray(faults) ? (faults as { line?: unknown; message?: unknown }[]) : []).map(
        (fault) => ({
          message: `rig.txt, line ${String(fault.line)}: ${String(fault.message)}`,
          evidence: [seen(REPORT, `faults: line ${String(fault.line)}`)],
          cause: 'a line of rig.txt on the card could not be applied; the other lines were',
          remedy: 'correct the line in rig.txt on the partition FIRMWARE, then restart the rig',
        }),
      );
    },
  },
];

function fileOf({ facts: { host } }: DoctorSignals, path: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(host.read(path) ?? '{}');
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

const textsOf = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((one): one is string => typeof one === 'string') : [];
