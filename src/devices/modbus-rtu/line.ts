import { type Clock, systemClock } from '../../lib/clock/clock.ts';
import type { ByteTransport } from '../../transports/byte-transport.ts';
import { QueuedMaster } from './queued-master.ts';
import { RtuExchanger } from './rtu-exchanger.ts';
import { type RtuTiming, type RtuTimingOptions, rtuTiming } from './timing.ts';
import type { RtuTrace } from './trace.ts';

export interface RtuLineOptions extends RtuTimingOptions {
  transport: ByteTransport;
  clock?: Clock;
  /** Most normal jobs that may wait. Default 32. */
  queueLimit?: number;
  trace?: RtuTrace;
}

/** A Modbus RTU line with one master. `baud`, `characterBits` and `isPaced` are the transport's own, when it has them. */
export class RtuLine extends QueuedMaster {
  readonly timing: RtuTiming;
  protected readonly exchanger: RtuExchanger;

  /** @throws DeviceError `setting_refused` */
  constructor(options: RtuLineOptions) {
    const { transport, clock = systemClock, trace = () => {} } = options;
    const timing = rtuTiming({
      ...options,
      baud: transport.baud ?? options.baud,
      characterBits: transport.characterBits ?? options.characterBits,
      isPaced: options.isPaced ?? transport.isPaced,
    });
    super({ transport, clock, timing, queueLimit: options.queueLimit });
    this.timing = timing;
    this.exchanger = new RtuExchanger({ transport, clock, timing, statistics: this.statistics, trace });
  }
}
