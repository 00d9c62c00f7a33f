import { systemClock } from '../../../src/lib/clock/clock.ts';
import type { ScenarioName } from './cases.ts';
import { eventsIn } from './run-events.ts';
import type { SafetyRig } from './safety-rig.ts';

const POLL_MS = 5;
const REST_V = [0.635, 0.755, 0.885, 0];
/** Out of every window that the shipped scenarios judge, and still a voltage that can be measured. */
const ODD_V = [2.9, 2.9, 2.9, 2.9];

/** From now on every limit that is judged is missed. @returns what undoes it */
export async function failLimits(rig: SafetyRig): Promise<() => Promise<void>> {
  await rig.knobs('plant', { rest_v: ODD_V });
  return () => rig.knobs('plant', { rest_v: REST_V });
}

/**
 * From now on a device of the scenario does as told and does not say so, until the run has met that: what it was
 * commanding is then in doubt, which is an error. @returns what undoes it, if it is not undone yet
 */
export async function loseAnswers(
  rig: SafetyRig,
  scenario: ScenarioName,
  events: string,
  ended: Promise<unknown>,
): Promise<() => Promise<void>> {
  if (scenario === 'lung-smoke') {
    // Late beyond all patience; three are enough for a command and what asks how it stands.
    await rig.faults('tic', [{ late_ms: 2000 }, { late_ms: 2000 }, { late_ms: 2000 }]);
    return async () => {};
  }
  await rig.knobs('modbus-io', { silent: true });
  let isOver = false;
  const heal = async () => {
    if (isOver) return;
    isOver = true;
    await rig.knobs('modbus-io', { silent: false });
  };
  const isMet = () =>
    eventsIn(events).some((event) => event.type === 'command.end' && event.outcome === 'error');
  const watch = async () => {
    const note = () => {
      isOver = true;
    };
    let runs = true;
    const stop = () => {
      runs = false;
    };
    ended.then(stop, stop);
    while (runs && !isOver && !isMet()) await systemClock.sleep(POLL_MS);
    if (!isOver) await rig.knobs('modbus-io', { silent: false });
    note();
  };
  void watch();
  return heal;
}
