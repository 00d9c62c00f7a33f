import { shownRunOutcome } from '../../run/outcome.ts';
import { shownNumber } from '../../values/shown-number.ts';
import { escapeMarkup } from '../markup.ts';
import {
  calibrationsOf,
  leftOutOf,
  markOf,
  namedOf,
  type RunRecord,
  startOf,
  type TestedUnit,
} from '../record.ts';
import { calibrationTable, firstFailure, recordFacts, retriesTable, scenarioPath } from './record-facts.ts';
import {
  blocksTable,
  checksTable,
  eventList,
  findingsTable,
  safeStateTables,
  samplePlots,
  section,
} from './sections.ts';
import { STYLE } from './style.ts';
import { facts, table } from './table.ts';

/** A run as one HTML file that needs nothing else and loads nothing. */
export function reportPage(record: RunRecord): string {
  const { result, version, scenarioHash } = record;
  const start = startOf(result);
  const title = start?.scenario ?? result.source;
  const mark = markOf(result);
  const outcome = shownRunOutcome(result);
  const variables = Object.entries(result.variables);
  const parts = [
    `<h1>${escapeMarkup(title)}</h1>`,
    `<div class="banner ${outcome}"><strong>${outcome}</strong><span>${result.passed}/${result.total} passed</span></div>`,
    firstFailure(record),
    mark === ''
      ? ''
      : `<div class="mark">${escapeMarkup(mark)}: this page proves nothing about a real device</div>`,
    facts([
      ...namedOf(record.tested).map(([name, value]) => [FACT_TITLES[name], value] as const),
      ...leftOutFact(result),
      ...recordFacts(record),
      ['Scenario', scenarioPath(record)],
      ['Scenario SHA-256', scenarioHash],
      ['Mode', start?.mode ?? 'not run'],
      ['Started', result.startedAt],
      ['Duration', `${(result.durationMs / 1000).toFixed(3)} s`],
      ['Calibrations', calibrationsOf(result).join(', ') || 'none was needed'],
      ['Software', `svc-rig ${version}`],
    ]),
    titled('Calibrations', calibrationTable(record)),
    section('Blocks', blocksTable(result)),
    section('Checks', checksTable(result)),
    titled('Attempts', retriesTable(record)),
    result.samples.length > 0 ? section('Samples', samplePlots(result)) : '',
    variables.length > 0 ? section('Variables', variablesTable(variables)) : '',
    result.events.some(({ type }) => type === 'safe-state')
      ? section('Safe state', safeStateTables(result))
      : '',
    result.diagnostics.length > 0 ? section('Findings', findingsTable(result)) : '',
    section('Events', eventList(result)),
  ];
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeMarkup(`${outcome}: ${title}${mark === '' ? '' : ` (${mark})`}`)}</title>
<style>${STYLE}</style>
</head>
<body>
${parts.filter((part) => part !== '').join('\n')}
</body>
</html>
`;
}

/** A part that is left out where it is empty. */
const titled = (title: string, body: string): string => (body === '' ? '' : section(title, body));

const FACT_TITLES: Readonly<Record<keyof TestedUnit, string>> = {
  unit: 'Unit (serial number)',
  part: 'Part number',
  revision: 'Revision',
  batch: 'Batch',
  operator: 'Operator',
};

/** A page of a few goals must not pass for one of the whole test. */
function leftOutFact(result: RunRecord['result']): (readonly [string, string])[] {
  const names = leftOutOf(result);
  return names.length === 0 ? [] : [['Left out by --goal', names.join(', ')]];
}

type VariableRow = [name: string, variable: RunRecord['result']['variables'][string]];

const variableText = (value: VariableRow[1]['value']): string =>
  typeof value === 'number'
    ? shownNumber(value)
    : typeof value === 'object'
      ? JSON.stringify(value)
      : String(value);

const variablesTable = (rows: readonly VariableRow[]): string =>
  table(
    rows,
    [
      { title: 'Name', text: ([name]) => name },
      {
        title: 'Value',
        text: ([, { value }]) => variableText(value),
      },
      { title: 'Unit', text: ([, { unit }]) => unit ?? '' },
    ],
    'none',
  );
