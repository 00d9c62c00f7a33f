import { CliError } from '../errors/cli-error.ts';
import { EXIT } from '../errors/exit-code.ts';
import type { Io } from '../io/io.ts';
import type { BridgeCalls } from '../lease/bridge-calls.ts';

/** Sets the pressure of a point. */
export interface PressureSource {
  /** @param nominal in the unit of the calibration */
  apply(nominal: number): Promise<void>;
  /** Always called, whatever happened. @throws CliError when the rig was not proven safe */
  end(): Promise<void>;
}

/** Milliseconds until the bridge makes the rig safe when this process stops renewing. */
const LEASE_TTL_MS = 5000;

/** A person sets the pressure; the prompt for the reading of the standard asks for it. */
export const byHand: PressureSource = { apply: async () => {}, end: async () => {} };

/**
 * The rig's own pump through one open valve, under a lease. @param powerPct power for a nominal value, 0..100
 * @throws CliError of the bridge; nothing is left on then
 */
export async function byPump(
  bridge: BridgeCalls,
  { valve, powerPct }: { valve: string; powerPct: (nominal: number) => number },
  { clock }: Pick<Io, 'clock'>,
  lost: (reason: CliError) => void,
): Promise<PressureSource> {
  await requireGuard(bridge);
  const { lease_id: id } = await bridge.call('POST', 'lease', {
    owner: 'svcctl calibrate',
    ttl_ms: LEASE_TTL_MS,
  });
  const leaseId = String(id);
  const ending = new AbortController();
  const renewing = (async () => {
    while (!ending.signal.aborted) {
      await clock.sleep(LEASE_TTL_MS / 4, ending.signal).catch(() => {});
      if (!ending.signal.aborted) await bridge.call('POST', `lease/${leaseId}/renew`);
    }
  })().catch((cause: unknown) => {
    lost(
      new CliError(
        'lease_lost',
        `the calibration ended, since its lease was lost: ${String((cause as Error).message)}`,
        EXIT.error,
        { cause },
      ),
    );
  });
  const command = (path: string) => bridge.call('POST', `hardware/${path}`, undefined, leaseId);
  const end = async () => {
    ending.abort();
    await renewing;
    await bridge.call('DELETE', `lease/${leaseId}`);
  };
  try {
    await command(`valve/${encodeURIComponent(valve)}?value=true`);
  } catch (fault) {
    await end();
    throw fault;
  }
  return {
    apply: async (nominal) => {
      await command(`pump?power_pct=${powerPct(nominal).toFixed(1)}`);
    },
    end,
  };
}

/** A bench of twins may be used without a guard, a rig may not (SVC-053). @throws CliError `guard_absent` */
async function requireGuard(bridge: BridgeCalls): Promise<void> {
  const { bench, guard } = await bridge.health();
  if (bench === true || (guard as { watching?: unknown } | undefined)?.watching === true) return;
  throw new CliError(
    'guard_absent',
    'no guard watches the bridge, and the pump is not started without one: start svc-guard, or set the pressures by hand (without --pump)',
    EXIT.error,
  );
}
