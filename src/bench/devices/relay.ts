import { type FSWatcher, mkdirSync, readFileSync, renameSync, rmSync, watch, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import * as z from 'zod';
import { RelayTwin } from '../../devices/relay/twin.ts';
import { defineBenchDevice } from './define-bench-device.ts';
import type { Port } from './port.ts';

const LED = 'class/leds/svc-pulse';
const CONTACT = 'class/power_supply/svc-supply/online';

/**
 * The watchdog relay in the supply of valves, pump and lung's motor. Its input is the LED of a `sys` folder in the folder of the bench,
 * which a guard with `SVC_HOST_ROOT` takes for that of the machine; its second contact is read back there.
 */
export const relay = defineBenchDevice({
  name: 'relay',
  isOptional: true,
  build: (context) => {
    const { plant } = context;
    const root = context.path('sys');
    const options = context.twinOptions((event) => {
      if (event.kind !== 'supply') return;
      plant.setSupply(event.closed);
      port.show(event.closed);
    });
    const twin = new RelayTwin(options);
    const port = new LedFolder(root, {
      opened: () => {
        plant.setSupply(twin.isClosed);
        return twin.isClosed;
      },
      closed: () => plant.setSupply(true),
      level: (level) => twin.input(level),
    });
    return { twin, ports: { relay: port } };
  },
  outputs: {
    shape: { supply_on: z.boolean().optional() },
    read: ({ isClosed }) => ({ supply_on: isClosed }),
  },
});

interface Wires {
  /** @returns whether the relay is closed */
  opened: () => boolean;
  closed: () => void;
  level: (level: string) => void;
}

/** Files as sysfs has them. */
class LedFolder implements Port {
  readonly address: string;
  readonly clients = null;
  readonly #wires: Wires;
  #watcher: FSWatcher | undefined;

  constructor(sys: string, wires: Wires) {
    this.address = sys;
    this.#wires = wires;
  }

  get path(): string | null {
    return this.#watcher ? join(this.address, LED) : null;
  }

  async become({ plugged }: { plugged: boolean }): Promise<void> {
    if (plugged === (this.#watcher !== undefined)) return;
    if (!plugged) {
      this.#watcher?.close();
      this.#watcher = undefined;
      rmSync(this.address, { recursive: true, force: true });
      this.#wires.closed();
      return;
    }
    const brightness = join(this.address, LED, 'brightness');
    for (const file of [brightness, join(this.address, CONTACT)])
      mkdirSync(dirname(file), { recursive: true });
    writeFileSync(join(this.address, LED, 'trigger'), '[none] timer heartbeat\n');
    writeFileSync(brightness, '0\n');
    this.#write(this.#wires.opened());
    const read = () => this.#wires.level(readFileSync(brightness, 'utf8').trim());
    read();
    this.#watcher = watch(brightness, read);
  }

  /** The second contact. */
  show(closed: boolean): void {
    if (this.#watcher) this.#write(closed);
  }

  /** In one piece, as a reader of sysfs gets it. */
  #write(closed: boolean): void {
    const path = join(this.address, CONTACT);
    writeFileSync(`${path}.new`, closed ? '1\n' : '0\n');
    renameSync(`${path}.new`, path);
  }
}
