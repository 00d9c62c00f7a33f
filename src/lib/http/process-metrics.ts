import process from 'node:process';
import Counter from 'prom-client/lib/counter.js';
import Gauge from 'prom-client/lib/gauge.js';
import type Registry from 'prom-client/lib/registry.js';

/**
 * Memory, event-loop resources and processor time of this process, read when they are asked for. prom-client's own collectors would wake the
 * process a hundred times a second to watch the event loop.
 */
export function addProcessMetrics(registry: InstanceType<typeof Registry>): void {
  const registers = [registry];
  new Gauge({
    name: 'svc_process_resident_memory_bytes',
    help: 'Resident memory of the process',
    registers,
    collect() {
      this.set(process.memoryUsage.rss());
    },
  });
  new Gauge({
    name: 'svc_process_active_resources',
    help: 'Timers, sockets, watchers and requests that keep the event loop alive',
    registers,
    collect() {
      this.set(process.getActiveResourcesInfo().length);
    },
  });
  new Counter({
    name: 'svc_process_cpu_seconds_total',
    help: 'Processor time, user and system',
    registers,
    collect() {
      const { user, system } = process.cpuUsage();
      this.reset();
      this.inc((user + system) / 1e6);
    },
  });
}
