import type { Ended } from '../bench/program.ts';
import type { Case } from './cases.ts';
import { ALWAYS_MS, limitMs } from './limits.ts';
import type { TwinTrace } from './twin-trace.ts';

const SAID = 400;

/** How the outputs of a victim are named that must go off with it; undefined when it has none of its own. */
function ownOutputs({ victim, end }: Case): string | undefined {
  if (victim === 'svc-pump') return 'pump';
  if (victim === 'svc-lung') return 'lung';
  // PM2 that is ended in order ends all its services.
  return victim === 'svc-bridge' || (victim === 'pm2' && end === 'SIGTERM') ? '' : undefined;
}

/** Whether the run cannot go on after the blow, so that everything must be safe soon after it. */
const isTheEnd = (one: Case): boolean =>
  one.victim === 'svcctl'
    ? ['abort', 'double abort', 'SIGTERM', 'SIGKILL'].includes(one.end)
    : ownOutputs(one) === '';

/**
 * Judges by the twins. What the victim had under it must be off soon after the blow; everything must be off for good
 * soon after the blow, or, when the run went on, soon after it went for its own end.
 *
 * @param struckAtMs wall clock @param endingAtMs wall clock
 * @returns the worse of both, milliseconds; undefined when something is on
 */
export function judgeTwins(
  trace: TwinTrace,
  one: Case,
  { struckAtMs, endingAtMs }: { struckAtMs: number; endingAtMs: number },
  broken: string[],
): number | undefined {
  const own = ownOutputs(one);
  const ownMs = own === undefined ? 0 : trace.firstOffMs(struckAtMs, own);
  if (ownMs === undefined || ownMs > limitMs(one))
    broken.push(`${own || 'outputs'} on for ${ownMs ?? 'ever'} ms after the blow, limit ${limitMs(one)}`);
  const [sinceMs, limit] = isTheEnd(one) ? [struckAtMs, limitMs(one)] : [endingAtMs, ALWAYS_MS];
  const allMs = trace.offForGoodMs(sinceMs);
  if (allMs === undefined) broken.push(`never safe: ${trace.on.join(', ')} on`);
  else if (allMs > limit) broken.push(`all outputs off only after ${allMs} ms, limit ${limit}`);
  return ownMs === undefined || allMs === undefined ? undefined : Math.max(ownMs, allMs);
}

/** A process that dies, or a supply that fails, is not a verdict about the device under test. */
export function judgeVerdict({ victim, end }: Case, ended: Ended, broken: string[]): void {
  const allowed = allowedCodes(victim === 'svcctl' ? end : 'service');
  const code = ended.code ?? ended.signal ?? 'none';
  if (allowed.includes(code)) return;
  const said = ended.stdout.slice(-SAID) + ended.stderr.slice(-SAID);
  broken.push(`the run ended with ${code}, not ${allowed.join(' or ')}: ${said}`);
}

/** A blow at the last boundaries may come too late to change the verdict. */
function allowedCodes(end: Case['end'] | 'service'): (number | string)[] {
  switch (end) {
    case 'pass':
      return [0];
    case 'fail':
      return [0, 1];
    case 'error':
    case 'time-out':
    case 'power cut':
    case 'service':
      return [0, 3];
    case 'abort':
    case 'double abort':
    case 'SIGTERM':
      return [0, 130];
    case 'SIGKILL':
      return [0, 'SIGKILL'];
  }
}
