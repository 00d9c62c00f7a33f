import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import type { HostRoots } from '../../transports/sysfs/find-usb.ts';

export interface PluggedUsb {
  /** Kernel name, for example `1-1.2`. */
  name: string;
  vid: string;
  pid: string;
  deviceNumber: number;
  bcdDevice?: string;
  serial?: string;
  /** Controller that the bus hangs on. */
  controller?: string;
}

export interface PluggedMcp2221a extends PluggedUsb {
  /** Driver of the HID device: `hid-generic`, `mcp2221`; `usbfs` when a program holds the interface through libusb. */
  driver?: string;
  hidraw?: string;
  iio?: { name: string; words: readonly string[] };
  /** Adapter, and the GPIO chip that the driver makes last. */
  i2c?: string;
  gpio?: string;
  tty?: string;
}

/** A tree of sysfs and one of device files in a temporary folder, laid out as Linux does it; for tests. */
export class HostTree {
  readonly #root = mkdtempSync(join(tmpdir(), 'svc-host-'));

  /** In the place of `/`. */
  get root(): string {
    return this.#root;
  }

  get roots(): Required<HostRoots> {
    return { sys: join(this.#root, 'sys'), dev: join(this.#root, 'dev') };
  }

  /** A device without interfaces. @returns its folder below /sys/devices */
  plugUsb(usb: PluggedUsb): string {
    const controller = usb.controller ?? 'platform/soc/3f980000.usb';
    const [bus] = usb.name.split('-');
    const folder = join(this.roots.sys, 'devices', controller, `usb${bus}`, usb.name);
    this.write(join(folder, 'idVendor'), usb.vid);
    this.write(join(folder, 'idProduct'), usb.pid);
    this.write(join(folder, 'bcdDevice'), usb.bcdDevice ?? '0100');
    this.write(join(folder, 'busnum'), `${bus}`);
    this.write(join(folder, 'devnum'), `${usb.deviceNumber}`);
    if (usb.serial !== undefined) this.write(join(folder, 'serial'), usb.serial);
    this.link(join(this.roots.sys, 'bus/usb/devices', usb.name), folder);
    const padded = (text: string) => text.padStart(3, '0');
    const node = join(this.roots.dev, 'bus/usb', padded(`${bus}`), padded(`${usb.deviceNumber}`));
    this.write(node, '');
    return folder;
  }

  /** The USB ADC chip with its three interfaces. */
  plugMcp2221a(chip: PluggedMcp2221a): string {
    const folder = this.plugUsb(chip);
    this.write(join(folder, 'manufacturer'), 'Microchip Technology Inc.');
    this.write(join(folder, 'product'), 'MCP2221 USB-I2C/UART Combo');
    for (const [number, kind] of ['02', '0a', '03'].entries())
      this.write(join(folder, `${chip.name}:1.${number}`, 'bInterfaceClass'), kind);
    if (chip.tty !== undefined) this.plugTty(chip.tty, join(folder, `${chip.name}:1.0`));
    const hid = join(folder, `${chip.name}:1.2`);
    if (chip.driver === 'usbfs') this.link(join(hid, 'driver'), this.#driver('usb', 'usbfs'));
    else if (chip.driver !== undefined) {
      this.link(join(hid, 'driver'), this.#driver('usb', 'usbhid'));
      const device = join(hid, '0003:04D8:00DD.0001');
      this.link(join(device, 'driver'), this.#driver('hid', chip.driver));
      if (chip.hidraw !== undefined) {
        this.write(join(device, 'hidraw', chip.hidraw, 'dev'), '240:0');
        this.write(join(this.roots.dev, chip.hidraw), '');
      }
      if (chip.i2c !== undefined) {
        const node = join(device, chip.i2c, 'i2c-dev', chip.i2c);
        this.write(join(node, 'name'), 'MCP2221 usb-i2c bridge');
        this.link(join(this.roots.sys, 'class/i2c-dev', chip.i2c), node);
      }
      if (chip.gpio !== undefined) this.write(join(device, chip.gpio, 'dev'), '254:0');
      if (chip.iio) {
        const iio = join(device, chip.iio.name);
        for (const [channel, word] of chip.iio.words.entries())
          this.write(join(iio, `in_voltage${channel}_raw`), `${word}\n`);
        this.link(join(this.roots.sys, 'bus/iio/devices', chip.iio.name), iio);
      }
    }
    return folder;
  }

  /** A serial port below a device or an interface. @param node real device file it shall stand for */
  plugTty(name: string, parent: string, node?: { major: number; minor: number }): void {
    const folder = join(parent, 'tty', name);
    mkdirSync(folder, { recursive: true });
    this.link(join(folder, 'device'), parent);
    this.link(join(this.roots.sys, 'class/tty', name), folder);
    if (node) this.link(join(this.roots.sys, 'dev/char', `${node.major}:${node.minor}`), folder);
  }

  /** Takes a device away, as a pulled plug does. */
  unplug(folder: string): void {
    rmSync(folder, { recursive: true });
  }

  write(path: string, text: string): void {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }

  link(path: string, target: string): void {
    mkdirSync(dirname(path), { recursive: true });
    rmSync(path, { force: true });
    symlinkSync(relative(dirname(path), target), path);
  }

  remove(): void {
    rmSync(this.#root, { recursive: true, force: true });
  }

  #driver(bus: string, name: string): string {
    const folder = join(this.roots.sys, 'bus', bus, 'drivers', name);
    mkdirSync(folder, { recursive: true });
    return folder;
  }
}
