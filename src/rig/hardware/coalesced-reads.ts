import type { CoalescedCalls } from '../../lib/queue/coalesced-calls.ts';
import type { SensorPorts } from './ports.ts';

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

/** The same for each sensor of its own. */
export const coalescedSensors = (ports: SensorPorts, calls: CoalescedCalls): SensorPorts =>
  new Map([...ports].map(([id, port]) => [id, coalescedReads(port, calls, `sensor ${id}`)]));
