/** Machines a root file system is made for; both with glibc. */
export const TARGETS = ['linux-x64', 'linux-arm64'] as const;
export type Target = (typeof TARGETS)[number];

/** Of the machine that builds; undefined where that is neither. */
export const hostTarget: Target | undefined = TARGETS.find(
  (one) => one === `${process.platform}-${process.arch}`,
);

/** @throws Error naming the choices */
export function targetOf(word: string | undefined): Target {
  const found = TARGETS.find((one) => one === word);
  if (found) return found;
  throw new Error(`--target "${word ?? ''}": choose ${TARGETS.join(' or ')}`);
}

/** npm's name of the processor. */
export const cpuOf = (target: Target): string => target.replace('linux-', '');
