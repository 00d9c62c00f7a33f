import type { Analysis } from './analysis.ts';
import type { State } from './state.ts';

/**
 * Peripherals without driver that the scenario may leave active. The safe state ends pump, lung and valves; these are
 * only values that the bridge keeps, and nobody but the scenario sets them back.
 */
export function checkLeftActive(end: State, analysis: Analysis): void {
  const { actuators } = analysis;
  actuators.all.forEach(({ id, kind }, i) => {
    if (kind !== 'other') return;
    for (const { states, since, path } of end.rigStates) {
      if (states[i] !== 'on' && states[i] !== 'unknown') continue;
      const place = since[i];
      // Nothing of the scenario has set it: its value is not the scenario's.
      if (!place) continue;
      const how = path.length === 0 ? '' : ` when ${path.join(', then ')}`;
      const remedy = `SET ${id} off as the first command of a CONFIG block of its own, right after the last goal`;
      analysis.findings.add(
        'SCN271',
        id,
        `${id} may stay active after the scenario${how}, and the safe state does not reset it; write ${remedy}`,
        place,
      );
      return;
    }
  });
}
