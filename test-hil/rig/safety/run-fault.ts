import { systemClock } from '../../../src/lib/clock/clock.ts';
import type { ScenarioName } from './cases.ts';
import { eventsIn } from './run-events.ts';
import type { SafetyRig } from './safety-rig.ts';

/** Ends what was begun; may be called more than once. */
export type Undo = () => Promise<void>;

const POLL_MS = 5;
const REST_V = [0.635, 0.755, 0.885, 0];
/** Out of every window that the shipped scenarios judge, and still a voltage that can be measured. */
const ODD_V = [2.9, 2.9, 2.9, 2.9];

/** From now on every limit that is judged is missed. */
export async function failLimits(rig: SafetyRig): Promise<Undo> {
  await rig.knobs('plant', { rest_v: ODD_V });
  return () => rig.knobs('plant', { rest_v: REST_V });
}

/**
 * From now on a device of the scenario does as it is told and does not say so, until the run has met that: what it was
 * commanding is then in doubt, which is an error.
 */
export async function loseAnswers(
  rig: SafetyRig,
  scenario: ScenarioName,
  events: string,
  ended: Promise<unknown>,
): Promise<Undo> {
  if (scenario === 'lung-smoke') {
    // Late beyond all patience; three are enough for a command and for what asks how it stands.
    await rig.faults('tic', [{ late_ms: 2000 }, { late_ms: 2000 }, { late_ms: 2000 }]);
    return async () => {};
  }
  await rig.knobs('modbus-io', { silent: true });
  const over = new AbortController();
  const heal = async () => {
    over.abort();
    await rig.knobs('modbus-io', { silent: false });
  };
  void untilErrorIn(events, ended, over.signal).then((isMet) => (isMet ? heal() : undefined));
  return heal;
}

/** @returns true when a command has ended in an error; false when the run, or `signal`, ended the wait */
async function untilErrorIn(events: string, ended: Promise<unknown>, signal: AbortSignal): Promise<boolean> {
  let runs = true;
  const stop = () => {
    runs = false;
  };
  ended.then(stop, stop);
  while (runs && !signal.aborted) {
    if (eventsIn(events).some((one) => one.type === 'command.end' && one.outcome === 'error')) return true;
    await systemClock.sleep(POLL_MS);
  }
  return false;
}
