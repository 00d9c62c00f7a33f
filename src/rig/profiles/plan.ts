import { ADC_SERVICES, type AdcService, type Profile, servicesOf } from './profile.ts';

/** An ADC service as the supervisor knows it. */
export interface SupervisedService {
  name: AdcService;
  /** 0 when it does not run. */
  pid: number;
  /** The supervisor's word; only `online` runs. */
  state: string;
}

/** A process of an ADC service of this rig, by whatever way it was started. */
export interface ServiceProcess {
  name: AdcService;
  pid: number;
  /** It was started by a supervisor, perhaps by one that has died since. */
  bornSupervised: boolean;
}

export interface SwitchPlan {
  /** Supervised services of the wanted profile that run: they go on undisturbed. */
  keep: AdcService[];
  /** What the supervisor stops and forgets. */
  stop: AdcService[];
  /** Processes that no supervisor looks after any more: ended by signal. */
  end: ServiceProcess[];
  start: AdcService[];
}

/**
 * What leads from what is there to a profile. The same for a switch, a repair and a switch that was cut off.
 * @param hung pids that own a device and do not answer: never kept
 */
export function planSwitch(
  wanted: Profile,
  supervised: readonly SupervisedService[],
  processes: readonly ServiceProcess[],
  hung: ReadonlySet<number> = new Set(),
): SwitchPlan {
  const services = servicesOf(wanted);
  const living = new Set(processes.map(({ pid }) => pid));
  const runs = ({ state, pid }: SupervisedService) => state === 'online' && living.has(pid) && !hung.has(pid);
  const keep = ADC_SERVICES.filter((name) => {
    const entries = supervised.filter((one) => one.name === name);
    // Two entries of one name are a mistake that starting anew mends.
    return services.includes(name) && entries.length === 1 && entries.every(runs);
  });
  const pids = new Set(supervised.map(({ pid }) => pid));
  return {
    keep,
    stop: ADC_SERVICES.filter((name) => !keep.includes(name) && supervised.some((one) => one.name === name)),
    end: processes.filter(({ pid, bornSupervised }) => bornSupervised && !pids.has(pid)),
    start: services.filter((name) => !keep.includes(name)),
  };
}
