import { runProgram } from '../../rig/service/program.ts';
import { windowService } from './window-service.ts';

/** Runs the service to its end. @param entry the program, which is also that of its threads */
export function serve(entry: URL): void {
  runProgram(windowService(entry));
}
