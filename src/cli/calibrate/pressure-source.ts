import type { Io } from '../io/io.ts';
import type { BridgeCalls } from '../lease/bridge-calls.ts';
import { LeasedRig } from '../lease/leased-rig.ts';

/** Sets the pressure of a point. */
export interface PressureSource {
  /** @param nominal in the unit of the calibration */
  apply(nominal: number): Promise<void>;
  /** Always called, whatever happened. @throws CliError when the rig was not proven safe */
  end(): Promise<void>;
}

/** A person sets the pressure; the prompt for the reading of the standard asks for it. */
export const byHand: PressureSource = { apply: async () => {}, end: async () => {} };

/**
 * The rig's own pump through one open valve, under a lease. @param powerPct power for a nominal value, 0..100
 * @throws CliError of the bridge; nothing is left on then
 */
export async function byPump(
  bridge: BridgeCalls,
  { valve, powerPct }: { valve: string; powerPct: (nominal: number) => number },
  io: Pick<Io, 'clock'>,
  lost: (reason: unknown) => void,
): Promise<PressureSource> {
  const rig = await LeasedRig.take(bridge, 'svcctl calibrate', io);
  rig.lost.addEventListener('abort', () => lost(rig.lost.reason));
  const end = async () => {
    await rig.end();
  };
  try {
    await rig.command(`valve/${encodeURIComponent(valve)}?value=true`);
  } catch (fault) {
    await end();
    throw fault;
  }
  return {
    apply: async (nominal) => {
      await rig.command(`pump?power_pct=${powerPct(nominal).toFixed(1)}`);
    },
    end,
  };
}
