import { fileURLToPath } from 'node:url';

interface BuildModule {
  build(options: { entries: Record<string, string>; outDir: string }): Promise<{ files: { path: string }[] }>;
}

const root = fileURLToPath(new URL('../../../', import.meta.url));

/** Bundles the guest's program from our sources as they are now. @returns the files, the add-ons among them */
export async function buildAgent(outDir: string): Promise<string[]> {
  const { build } = (await import(`${root}build.mjs`)) as BuildModule;
  const { files } = await build({ entries: { agent: 'test-hil/image/guest/agent.ts' }, outDir });
  return files.map(({ path }) => path);
}
