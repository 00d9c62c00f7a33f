/** The program of the index thread: beside the bundle of the service, or its source. */
export const threadEntry = (): URL => {
  const here = new URL(import.meta.url);
  return new URL(here.pathname.endsWith('.ts') ? './main.ts' : './svc-server-index.cjs', here);
};
