import type { Program } from '../bench/program.ts';
import type { Case } from './cases.ts';
import { failLimits, loseAnswers, type Undo } from './run-fault.ts';
import type { SafetyRig } from './safety-rig.ts';

const nothing: Undo = async () => {};

/** Lets the blow of a case fall. @param events file of the run's event stream */
export async function strike(rig: SafetyRig, one: Case, run: Program, events: string): Promise<Undo> {
  const { victim, end, scenario } = one;
  if (victim !== 'svcctl') {
    const signal = end === 'SIGKILL' ? 'SIGKILL' : 'SIGTERM';
    for (const pid of victim === 'pm2' ? rig.daemons() : [rig.pidOf(victim)]) process.kill(pid, signal);
    return nothing;
  }
  switch (end) {
    case 'fail':
      return failLimits(rig);
    case 'error':
      return loseAnswers(rig, scenario, events, run.ended);
    case 'abort':
      run.child.kill('SIGINT');
      return nothing;
    case 'double abort':
      run.child.kill('SIGINT');
      await Promise.race([run.until('a second signal skips the teardown'), run.ended]).catch(nothing);
      run.child.kill('SIGINT');
      return nothing;
    case 'power cut':
      await rig.cutPower();
      return nothing;
    case 'SIGTERM':
    case 'SIGKILL':
      run.child.kill(end);
      return nothing;
    // The run ends on its own.
    case 'pass':
    case 'time-out':
      return nothing;
  }
}
