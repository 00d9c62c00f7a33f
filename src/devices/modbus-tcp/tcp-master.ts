import { type Clock, systemClock } from '../../lib/clock/clock.ts';
import type { ByteTransport } from '../../transports/byte-transport.ts';
import { QueuedMaster } from '../modbus-rtu/queued-master.ts';
import { type ReplyTiming, type ReplyTimingOptions, replyTiming } from '../modbus-rtu/timing.ts';
import type { RtuTrace } from '../modbus-rtu/trace.ts';
import { TcpExchanger } from './tcp-exchanger.ts';

export interface ModbusTcpMasterOptions extends ReplyTimingOptions {
  /** A connection to the server, for example a `TcpTransport`. */
  transport: ByteTransport;
  clock?: Clock;
  /** Most normal jobs that may wait. Default 32. */
  queueLimit?: number;
  trace?: RtuTrace;
}

/** A Modbus TCP server as drivers see it: the same as an RTU line, one transaction at a time. */
export class ModbusTcpMaster extends QueuedMaster {
  readonly timing: ReplyTiming;
  protected readonly exchanger: TcpExchanger;

  /** @throws DeviceError `setting_refused` */
  constructor(options: ModbusTcpMasterOptions) {
    const { transport, clock = systemClock, trace = () => {} } = options;
    const timing = replyTiming(options);
    super({ transport, clock, timing, queueLimit: options.queueLimit });
    this.timing = timing;
    const broken = () => this.reopen();
    this.exchanger = new TcpExchanger({
      transport,
      clock,
      timing,
      statistics: this.statistics,
      trace,
      broken,
    });
  }
}
