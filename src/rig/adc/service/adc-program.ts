import { runProgram } from '../../service/program.ts';
import { type AdcServiceDefinition, startAdcService } from './adc-service.ts';

/** Ended from outside, a service is gone within 2 s. */
const END_LIMIT_MS = 1800;

/** Runs an ADC service as the program of this process, to its end. */
export function runAdcProgram(definition: AdcServiceDefinition): void {
  runProgram({
    ...definition,
    endLimitMs: END_LIMIT_MS,
    start: async (context) => {
      const running = await startAdcService({ ...context, definition });
      const shutDown = async () => {
        await running.shutDown();
        // Nothing here moves: to be closed is to be safe.
        return { ok: true };
      };
      return { ...running, shutDown };
    },
  });
}
