import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { writeDurably } from '../../lib/files/durable-file.ts';
import type { CalibrationEntry } from '../../rig/configuration/types.ts';
import type { Evaluation, Requirements } from './evaluate.ts';

/** The standard that a sensor is compared with, as its certificate says. */
export interface ReferenceStandard {
  id: string;
  certificate: string;
  /** ISO date. */
  due_at: string;
  /** Expanded (k = 2), in the unit of the calibration. */
  uncertainty: number;
}

/** A calibration in the words of `svc.yaml`. */
export interface ProposedCalibration {
  id: string;
  unit: string;
  source: string;
  /** Expanded (k = 2), in `unit`. */
  uncertainty: number;
  calibrated_at: string;
  due_at: string;
  confirmed_at: string;
  confirmed_by: string;
}

/** All that is kept of a calibration, whether it was put into use or not. */
export interface CalibrationRecord {
  /** ISO time. */
  made_at: string;
  sensor: string;
  unit: string;
  bench: boolean;
  standard: ReferenceStandard;
  conditions: { temperature_c: number; medium: string; height_m: number };
  requirements: Requirements;
  evaluation: Evaluation;
  /** What the sensor was calibrated by before; null for none. */
  old: CalibrationEntry | null;
  proposed: ProposedCalibration;
}

/**
 * Keeps a record beside all earlier ones, each in files of its own that are never overwritten.
 * @param stateDir SVC_STATE_DIR
 * @returns path of the record; the report is beside it with the ending `.html`
 * @throws NodeJS.ErrnoException
 */
export async function keepRecord(stateDir: string, record: CalibrationRecord, page: string): Promise<string> {
  const name = record.made_at.replaceAll(':', '').replace('.', '');
  const path = join(stateDir, 'calibrations', record.sensor, `${name}.json`);
  mkdirSync(dirname(path), { recursive: true });
  await writeDurably(path.replace(/json$/, 'html'), page);
  await writeDurably(path, `${JSON.stringify(record, null, 1)}\n`);
  return path;
}
