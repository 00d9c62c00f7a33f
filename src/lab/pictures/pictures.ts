import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { defaultPlantParameters } from '../../bench/plant/parameters.ts';
import { failedCheck } from './failed-check.ts';
import { leaseLife } from './lease-life.ts';
import { plantPlan } from './plant-plan.ts';
import type { LeaseRecording, ReportRecording, StopRecording, TerminalRecording } from './recording.ts';
import { reportHead } from './report-head.ts';
import { safeStateTimes } from './safe-state-times.ts';

/** Folder of what real runs left behind. */
export const RECORDINGS = fileURLToPath(new URL('./recordings/', import.meta.url));

const recorded = <T>(name: string): T => JSON.parse(readFileSync(`${RECORDINGS}${name}.json`, 'utf8'));

/** Files of docs/pictures and what draws them. The same recordings give the same bytes. */
export const PICTURES: Readonly<Record<string, () => string>> = {
  'failed-check.svg': () => failedCheck(recorded<TerminalRecording>('failed-check')),
  'report.svg': () => reportHead(recorded<ReportRecording>('report')),
  'plant.svg': () => plantPlan(defaultPlantParameters()),
  'safe-state.svg': () => safeStateTimes(recorded<StopRecording>('safe-state')),
  'lease.svg': () => leaseLife(recorded<LeaseRecording>('lease')),
};
