import * as z from 'zod';
import type { SerialTwin } from '../../devices/twin.ts';
import { faultText } from '../../lib/config/config-error.ts';
import { schemaFaults } from '../../lib/config/schema-faults.ts';
import { BenchError } from '../bench-error.ts';
import type { UsbipDevice } from '../usbip/server/usbip-port.ts';
import type { BenchContext } from './bench-context.ts';
import type { Port } from './port.ts';

/** What the bench needs of a twin, beside the bytes that its ports carry. */
export interface BenchTwin {
  readonly knobs: { readonly value: Readonly<Record<string, unknown>>; patch(patch: unknown): void };
  reset(): void;
}

/** Faults of single replies, as a device takes them. */
export interface ReplyFaults {
  readonly kinds: readonly string[];
  /** @returns what injects them. @throws BenchError `knob_invalid` */
  check(device: string, given: unknown): () => void;
}

/** A twin, and what connects it to the bench. */
export interface BuiltDevice<Twin extends BenchTwin = BenchTwin, PortName extends string = string> {
  twin: Twin;
  /** By the names of their addresses; the device's own name first. */
  ports: Readonly<Record<PortName, Port>>;
  /** Default: it takes no faults for single replies. */
  faults?: ReplyFaults;
  /** Called when the device is unplugged, if it is powered by its port. */
  unpowered?: () => void;
  /** The USB device that a virtual machine gets of it, and its bus id for USB/IP. */
  usb?: UsbipDevice;
  /** Its line, where it is wired to a UART of the machine. */
  uart?: SerialTwin;
}

/** The part of a definition that makes the device. */
export interface Buildable<
  Twin extends BenchTwin,
  Name extends string = string,
  PortName extends string = string,
> {
  /** In addresses, knobs and the trace. */
  name: Name;
  build: (context: BenchContext) => BuiltDevice<Twin, PortName>;
}

/** All that the bench has to be told of a device. */
export interface BenchDeviceDefinition<
  Name extends string,
  Twin extends BenchTwin,
  PortName extends string,
  TcpOption extends string = never,
  Outputs extends z.ZodRawShape = Record<never, never>,
> extends Buildable<Twin, Name, PortName> {
  /** Plugged in only where it is asked for. Default false. */
  isOptional?: boolean;
  /** Options of the bench that fix a TCP port on 127.0.0.1, and what each is the port of. */
  tcpPorts?: Readonly<Record<TcpOption, string>>;
  /** What the twin really puts out, whatever it replies: a part of the bench's outputs. */
  outputs?: { shape: Outputs; read: (twin: Twin) => z.output<z.ZodObject<Outputs>> };
}

/** A device of the bench, checked where it is written. */
export function defineBenchDevice<
  const Name extends string,
  Twin extends BenchTwin,
  PortName extends string,
  TcpOption extends string = never,
  Outputs extends z.ZodRawShape = Record<never, never>,
>(definition: BenchDeviceDefinition<Name, Twin, PortName, TcpOption, Outputs>) {
  return definition;
}

/** @param schema of one fault @param inject is given one fault for each of the next replies */
export function replyFaults<Fault extends z.ZodObject>(
  schema: Fault,
  inject: (...faults: z.output<Fault>[]) => void,
): ReplyFaults {
  const list = z.array(schema);
  const kinds = Object.keys(schema.shape);
  return {
    kinds,
    check: (device, given) => {
      const checked = list.safeParse(given);
      if (checked.success) return () => inject(...checked.data);
      const faults = schemaFaults(checked.error, list, given).map(faultText).join('; ');
      const message = `faults of ${device}: ${faults} (known: ${kinds.join(', ')})`;
      throw new BenchError('knob_invalid', message);
    },
  };
}
