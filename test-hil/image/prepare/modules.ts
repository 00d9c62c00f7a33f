import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';

/** Kernel modules of the guest by the list that loads them; each list builds on those before it. */
const LISTS: Readonly<Record<string, readonly string[]>> = {
  // A network card, a controller with a device that is not a twin, what twins need, and the nodes of I2C adapters.
  boot: ['e1000', 'xhci_pci', 'vhci_hcd', 'usbhid', 'hid_generic', 'cdc_acm', 'i2c_dev', 'i2c_tiny_usb'],
  hid_mcp2221: ['hid_mcp2221'],
};

/**
 * Copies the guest's kernel modules to `target`, and beside them a file `<list>.list` for each list, in the order in which
 * they must be loaded.
 *
 * @param kernelFolder `lib/modules/<version>` of the kernel's package
 * @throws Error for a module that the kernel does not have
 */
export function placeModules(kernelFolder: string, target: string): void {
  const files = moduleFiles(kernelFolder);
  const builtIn = new Set(
    readFileSync(join(kernelFolder, 'modules.builtin'), 'utf8').trim().split('\n').map(moduleName),
  );
  const placed = new Set<string>();
  mkdirSync(target, { recursive: true });
  const place = (name: string): string[] => {
    if (placed.has(name) || builtIn.has(name)) return [];
    placed.add(name);
    const file = files.get(name);
    if (file === undefined) throw new Error(`the kernel in ${kernelFolder} has no module ${name}`);
    const before = dependenciesOf(file).flatMap(place);
    cpSync(file, join(target, `${name}.ko`));
    return [...before, `${name}.ko`];
  };
  for (const [list, names] of Object.entries(LISTS))
    writeFileSync(join(target, `${list}.list`), `${names.flatMap(place).join('\n')}\n`);
}

function moduleFiles(kernelFolder: string): Map<string, string> {
  const files = readdirSync(kernelFolder, { recursive: true, encoding: 'utf8' });
  return new Map(
    files.filter((file) => file.endsWith('.ko')).map((file) => [moduleName(file), join(kernelFolder, file)]),
  );
}

/** The kernel takes both signs for the same. */
const moduleName = (file: string) => basename(file, '.ko').replaceAll('-', '_');

/** From the module's own section of properties: the package has no list of dependencies. */
function dependenciesOf(file: string): string[] {
  const [, names = ''] = /\0depends=([^\0]*)\0/.exec(readFileSync(file, 'latin1')) ?? [];
  return names === '' ? [] : names.split(',').map(moduleName);
}
