import type { Plugin } from 'esbuild';

/** Machines a bundle can be built for; all with glibc. */
export const targets: readonly string[];

/** @param options.modules `node_modules` folders to take add-ons from, the first that has it wins */
export function nativeAddons(options: { target: string; modules: readonly string[] }): Plugin;
