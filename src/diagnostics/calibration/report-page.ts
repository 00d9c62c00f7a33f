import { escapeMarkup } from '../../scenario/outputs/markup.ts';
import { STYLE } from '../../scenario/outputs/report/style.ts';
import { facts, table } from '../../scenario/outputs/report/table.ts';
import type { CalibrationRecord } from './calibration-record.ts';
import { errorPlot } from './error-plot.ts';
import type { EvaluatedPoint } from './evaluate.ts';

/** A calibration as one HTML file that needs nothing else and loads nothing. */
export function calibrationPage(record: CalibrationRecord): string {
  const { sensor, unit, standard, conditions, evaluation, requirements, old, proposed } = record;
  const { points, refusals, fit, tableReason } = evaluation;
  const value = (one: number | null) => (one === null ? 'none' : Number(one.toPrecision(5)).toString());
  const title = `Calibration of ${sensor}`;
  const isUsable = refusals.length === 0;
  const parts = [
    `<h1>${escapeMarkup(title)}</h1>`,
    `<div class="banner ${isUsable ? 'passed' : 'failed'}"><strong>${isUsable ? 'usable' : 'refused'}</strong><span>${escapeMarkup(refusals.join('; ') || `${proposed.id}, due ${proposed.due_at}`)}</span></div>`,
    record.bench
      ? '<div class="mark">BENCH: made against a simulated plant; it proves nothing about a real sensor</div>'
      : '',
    facts([
      ['Made', record.made_at],
      ['By', proposed.confirmed_by],
      ['Standard', `${standard.id}, certificate ${standard.certificate}, due ${standard.due_at}`],
      ['Uncertainty of the standard (k = 2)', `${standard.uncertainty} ${unit}`],
      [
        'Conditions',
        `${conditions.temperature_c} °C, ${conditions.medium}, height difference ${conditions.height_m} m`,
      ],
      ['Range', `${requirements.low} .. ${requirements.high} ${unit}`],
      ['Permissible error', `${requirements.limit} ${unit}`],
      [
        'Result',
        fit.kind === 'linear'
          ? `${fit.scale} ${unit}/V, offset ${fit.offset} ${unit}`
          : `table of ${fit.points.length} points: ${tableReason}`,
      ],
      ['Hysteresis', `${value(evaluation.hysteresis)} ${unit}`],
      ['Largest residual', `${value(evaluation.worstResidual)} ${unit}`],
      ['Largest error at a check point', `${value(evaluation.worstCheck)} ${unit}`],
      [
        'Largest error as found',
        evaluation.worstAsFound === null
          ? 'no calibration before'
          : `${value(evaluation.worstAsFound)} ${unit} (${old?.id})`,
      ],
      ['Proposed uncertainty (k = 2)', `${value(evaluation.uncertainty)} ${unit}`],
    ]),
    '<h2>Errors as found and as left</h2>',
    errorPlot(points, { unit, limit: requirements.limit }),
    '<h2>Points</h2>',
    table<EvaluatedPoint>(
      points,
      [
        { title: 'Pass', text: ({ pass }) => pass },
        { title: `Nominal, ${unit}`, text: ({ nominal }) => value(nominal), numeric: true },
        { title: `Reference, ${unit}`, text: ({ reference }) => value(reference), numeric: true },
        { title: 'Mean, V', text: ({ readings }) => readings.mean.toFixed(5), numeric: true },
        { title: 's, V', text: ({ readings }) => readings.deviation.toFixed(5), numeric: true },
        { title: 'n', text: ({ readings }) => `${readings.count}`, numeric: true },
        { title: `As found, ${unit}`, text: ({ asFound }) => value(asFound), numeric: true },
        { title: `As left, ${unit}`, text: ({ asLeft }) => value(asLeft), numeric: true },
      ],
      'no point was measured',
    ),
  ];
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeMarkup(title)}</title>
<style>${STYLE}</style>
</head>
<body>
${parts.filter((part) => part !== '').join('\n')}
</body>
</html>
`;
}
