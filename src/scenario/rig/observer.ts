import type { Code } from '../diagnostics/catalogue.ts';
import type { EventBody } from '../events/event.ts';
import type { RunFault } from './fault.ts';
import type { RigMarks } from './rig.ts';

/** Who is told what happens on the way to the rig. */
export interface RigObserver {
  event(body: EventBody): void;
  /** The rig turned out to be a bench or a simulation. */
  marked(marks: Partial<RigMarks>): void;
  warning(message: string): void;
  /** Something about the scenario or the configuration that does not end the run: a warning. */
  finding(code: Code, message: string): void;
  /** The lease ended on the way; nothing may be actuated any more. */
  leaseLost(fault: RunFault): void;
}
