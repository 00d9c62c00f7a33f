import type { CoalescedCalls } from '../../lib/queue/coalesced-calls.ts';
import type { SensorPort } from './ports.ts';

interface Readable<T> {
  read(signal?: AbortSignal): Promise<T>;
}

/** The same port, at which reads that are asked for at once become one. Each is newer than the call that asked for it. */
export function coalescedReads<P extends Readable<T>, T>(
  port: P & Readable<T>,
  calls: CoalescedCalls,
  name: string,
): P {
  return { ...port, read: (signal) => calls.call(name, (own) => port.read(own), signal) };
}

/** The same for each input of its own. */
export function coalescedInputs(port: SensorPort, calls: CoalescedCalls): SensorPort {
  return {
    ...port,
    read: (input, signal) => calls.call(`input ${input}`, (own) => port.read(input, own), signal),
  };
}
