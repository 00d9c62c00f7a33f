import type { default as Sharp } from 'sharp';
import { WindowError } from '../window-error.ts';
import { optionalPackage } from './optional-package.ts';

export type { Sharp };

/** How an operator gets what is missing. */
export const INSTALL_SHARP = 'npm install sharp@0.35';

let loading: Promise<typeof Sharp | undefined> | undefined;

/** The image library; undefined where it is not installed. */
export function loadSharp(): Promise<typeof Sharp | undefined> {
  loading ??= optionalPackage<typeof Sharp>('sharp').then((sharp) => {
    // Images are different each time: a cache of them is memory lost.
    sharp?.cache(false);
    return sharp;
  });
  return loading;
}

/** @throws WindowError `component_missing` */
export async function needSharp(use: string): Promise<typeof Sharp> {
  const sharp = await loadSharp();
  if (!sharp) throw componentMissing(use);
  return sharp;
}

export function componentMissing(use: string): WindowError {
  return new WindowError(
    'component_missing',
    `${use} needs the detection component; install it with: ${INSTALL_SHARP}`,
    {
      component: 'detection',
      install: INSTALL_SHARP,
    },
  );
}
