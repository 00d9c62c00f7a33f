import type { CalibrationRecord } from '../../diagnostics/calibration/calibration-record.ts';
import { table } from '../io/table.ts';
import type { CalibrateOptions, CalibrationOrder } from './options.ts';
import { shown } from './reference.ts';

/** What will be done, before anything is. */
export function planLines(
  sensor: string,
  order: CalibrationOrder,
  { pump, valve }: CalibrateOptions,
): string[] {
  const { unit, nominals, checks, requirements, standard, samples } = order;
  const list = (values: readonly number[]) => values.map(shown).join(', ');
  return [
    `Calibration of ${sensor} against ${standard.id} (due ${standard.due_at}, U ${standard.uncertainty} ${unit})`,
    `points up and down: ${list(nominals)} ${unit}; check points: ${list(checks)} ${unit}; ${samples} readings each`,
    `permissible error ${shown(requirements.limit)} ${unit}`,
    pump
      ? `the pump sets the pressure through ${valve}; Ctrl-C makes the rig safe`
      : 'the pressure is set by hand; no actuator is switched',
  ];
}

/** The result for a person. @param path of the record */
export function resultLines(record: CalibrationRecord, path: string): string[] {
  const { evaluation, unit, requirements, bench, sensor, old, proposed } = record;
  const { points, fit, tableReason, refusals } = evaluation;
  const error = (value: number | null) =>
    value === null ? 'none' : value.toFixed(digitsOf(requirements.limit));
  const rows = points.map(({ pass, nominal, reference, readings, asFound, asLeft }) => [
    pass,
    shown(nominal),
    shown(reference),
    readings.mean.toFixed(5),
    error(asFound),
    error(asLeft),
  ]);
  return [
    ...(bench ? ['BENCH: made against a simulated plant; it proves nothing about a real sensor'] : []),
    ...table([['PASS', 'NOMINAL', 'STANDARD', 'VOLTS', 'AS FOUND', 'AS LEFT'], ...rows]),
    fit.kind === 'linear'
      ? `line: ${shown(fit.scale)} ${unit}/V, offset ${shown(fit.offset)} ${unit}`
      : `table of ${fit.points.length} points: ${tableReason}`,
    `largest residual ${shown(evaluation.worstResidual)}, hysteresis ${shown(evaluation.hysteresis)}, at check points ${shown(evaluation.worstCheck)} ${unit}; permissible ${shown(requirements.limit)}`,
    evaluation.worstAsFound === null
      ? 'as found: no calibration in this unit'
      : `as found by ${old?.id}: largest error ${shown(evaluation.worstAsFound)} ${unit}`,
    `proposed uncertainty (k = 2): ${shown(evaluation.uncertainty)} ${unit}`,
    refusals.length === 0
      ? `${sensor}: ${proposed.id} may be used`
      : `${sensor}: refused: ${refusals.join('; ')}`,
    `record ${path}, report ${path.replace(/json$/, 'html')}`,
  ];
}

/** Decimals that show a hundredth of the permissible error. */
const digitsOf = (limit: number): number => Math.min(9, Math.max(0, 2 - Math.floor(Math.log10(limit))));
