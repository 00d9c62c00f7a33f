import { type MotionEnd, type Move, type Run, TicT249 } from '../../../src/devices/tic/driver.ts';
import type { Clock } from '../../../src/lib/clock/clock.ts';
import { type ControlRequest, openUsbControl } from '../../../src/transports/index.ts';

const TIC = 'usb:1ffb:00c9';

/** The driver of the lung motor over the package `usb`, and single requests beside it. */
export function ticCommands(clock: Clock) {
  const usb = openUsbControl(TIC, { clock });
  const tic = new TicT249(usb, { clock });
  return {
    openTic: async () => ({ report: await tic.open(), identity: usb.identity }),
    ticState: () => tic.state,
    ticStatus: () => tic.status({ deadlineMs: 8000 }),
    /** @returns how the motion ended */
    moveTic: async (move: Move): Promise<MotionEnd> => (await tic.move(move)).ended,
    /** @returns when motion was seen */
    runTic: async (run: Run): Promise<void> => {
      await tic.velocity(run);
    },
    stopTic: () => tic.stop(),
    closeTic: () => tic.close(),
    /** One vendor request on a handle of its own. @returns the bytes that came */
    askTic: async (request: ControlRequest, length: number): Promise<number[]> => {
      const own = openUsbControl(TIC, { clock });
      await own.open();
      try {
        return [...(await own.controlIn(request, length))];
      } finally {
        await own.close();
      }
    },
  };
}
