import { execFile } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { promisify } from 'node:util';
import { findHid, findUsb, isBench, openByteTransport, usbStrings } from '../../../src/transports/index.ts';
import { listSerialPorts } from '../../../src/transports/sysfs/serial-ports.ts';

/** hid_mcp2221 takes 25 s to take the ADC chip. */
const COMMAND_MS = 55_000;

/** What the guest's kernel made of the devices, and commands to change that. */
export function machineCommands() {
  return {
    /** Runs a program of the guest. @returns what it said */
    run: async (program: string, ...args: string[]): Promise<string> => {
      const { stdout, stderr } = await promisify(execFile)(program, args, { timeout: COMMAND_MS });
      return (stdout + stderr).trim();
    },
    /** Names below a folder of the guest; empty when there is none. */
    names: (folder: string): string[] => {
      try {
        return readdirSync(folder).sort();
      } catch {
        return [];
      }
    },
    findUsb,
    findHid,
    usbStrings: (directory: string) => usbStrings(directory),
    serialPorts: () => listSerialPorts(),
    isBench: (address: string): boolean => isBench(address),
    /** Opens a serial port at 9600 8N1 and closes it. */
    openPort: async (path: string): Promise<void> => {
      const port = openByteTransport(path, { baud: 9600 });
      await port.open();
      await port.close();
    },
  };
}
