import { fileURLToPath } from 'node:url';

interface BuildModule {
  build(options: {
    entries: Record<string, string>;
    outDir: string;
    modules: string[];
  }): Promise<{ files: { path: string }[] }>;
}

const root = fileURLToPath(new URL('../../../', import.meta.url));

/** The guest's own program, and the programs that it starts as processes. */
const ENTRIES = {
  agent: 'test-hil/image/guest/agent.ts',
  'svc-sensors': 'src/services/sensors/main.ts',
  svcctl: 'src/cli/svcctl/main.ts',
};

/**
 * Bundles the guest's programs from our sources as they are now.
 *
 * @param modules folder of the packages that were compiled for the guest
 * @returns the files, the add-ons among them
 */
export async function buildPrograms(outDir: string, modules: string): Promise<string[]> {
  const { build } = (await import(`${root}build.mjs`)) as BuildModule;
  const { files } = await build({ entries: ENTRIES, outDir, modules: [modules] });
  return files.map(({ path }) => path);
}
