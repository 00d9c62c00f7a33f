import { RtuBus } from '../../devices/modbus-rtu/bus.ts';
import type { RtuSlave } from '../../devices/modbus-rtu/slave.ts';
import type { Clock } from '../../lib/clock/clock.ts';
import { SerialSocket } from '../pty/serial-socket.ts';
import type { UsbDevice } from '../usb/device/usb-device.ts';
import { serialAdapterUsbDevice } from '../usb/serial-adapter.ts';
import { SerialHub } from '../usb/serial-hub.ts';
import { type BenchContext, lineClock } from './bench-context.ts';
import type { Port, PortState } from './port.ts';

/**
 * An RS-485 line behind one USB adapter, which is a pseudo-terminal here: each slave on it receives every request, the
 * addressed one replies, and what one of them sends late or twice is received in the next transaction of another.
 */
export class Rs485Line {
  /** Bits per second. */
  readonly baud: number;
  /** For the twins on it: undefined where the bytes themselves take the time that they take on the line. */
  readonly clock: Clock | undefined;
  readonly #bus = new RtuBus();
  readonly #hub = new SerialHub(this.#bus);
  readonly #socket: SerialSocket;
  readonly #states = new Map<RtuSlave, PortState>();
  #owner: RtuSlave | undefined;

  /** @param options.file name of the link that clients open */
  constructor(
    context: Pick<BenchContext, 'path' | 'atLineRate' | 'usbLatencyMs' | 'wireClock'>,
    options: { file: string; baud: number },
  ) {
    const { atLineRate, usbLatencyMs, wireClock } = context;
    this.baud = options.baud;
    this.clock = atLineRate ? undefined : wireClock;
    this.#socket = new SerialSocket({
      link: context.path(options.file),
      slave: this.#hub.asTwin(),
      clock: lineClock,
      baud: options.baud,
      atLineRate,
      latencyMs: usbLatencyMs,
    });
  }

  /** The adapter as a USB device of another machine. @param serial of the adapter */
  usbDevice(serial: string): UsbDevice {
    return serialAdapterUsbDevice({ line: this.#hub.asTwin(), serial });
  }

  /** For the slave that the adapter belongs to: unplugged it takes the whole line with it. */
  ownerPort(slave: RtuSlave): Port {
    this.#owner = slave;
    return this.port(slave);
  }

  /** For another slave on the line: unplugged its wires are off the line, and the adapter stays. */
  port(slave: RtuSlave): Port {
    const isConnected = () => this.#states.get(slave)?.plugged === true;
    const socket = this.#socket;
    return {
      clients: null,
      address: socket.link,
      get path() {
        return isConnected() ? (socket.path ?? null) : null;
      },
      become: (state) => this.#become(slave, state),
    };
  }

  #become(slave: RtuSlave, state: PortState): Promise<void> {
    this.#states.set(slave, state);
    if (state.plugged) this.#bus.attach(slave);
    else this.#bus.detach(slave);
    const states = [...this.#states.values()];
    // On a bench without the adapter's owner the adapter is there for the one that is on the line.
    const owner = this.#owner && this.#states.get(this.#owner);
    const plugged = owner?.plugged ?? states.some((one) => one.plugged);
    return this.#socket.want({ plugged, held: plugged && states.some((one) => one.held) });
  }
}
