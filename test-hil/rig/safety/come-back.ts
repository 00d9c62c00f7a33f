import { messageOf } from '../../../src/lib/errors/coded-error.ts';
import type { Case } from './cases.ts';
import { eventually } from './eventually.ts';
import type { SafetyRig } from './safety-rig.ts';

/** PM2 waits longer and longer before it starts a service that ends again and again: at most 15 s. */
const UP_LIMIT_MS = 25_000;
const GONE_LIMIT_MS = 20_000;

/**
 * Everything comes up again under PM2, by itself but for PM2, which systemd starts, and the next run passes.
 * @returns milliseconds until it was up; NaN when it did not come
 */
export async function comeBack(rig: SafetyRig, { victim, end }: Case, broken: string[]): Promise<number> {
  try {
    if (victim === 'pm2') {
      if (end === 'SIGTERM' && !(await eventually(() => rig.daemons().length === 0, GONE_LIMIT_MS)))
        broken.push(`PM2 had not ended ${GONE_LIMIT_MS} ms after SIGTERM`);
      await rig.endControlGroup();
      await rig.start();
    }
    const upAfterMs = await rig.untilUp(UP_LIMIT_MS);
    // A run that was killed while nothing was on leaves its lease behind all the same.
    await rig.untilFree(UP_LIMIT_MS);
    const { code, stdout, stderr } = await rig.prove().ended;
    if (code !== 0) broken.push(`the next run ended with ${code}: ${stdout}${stderr}`);
    return Math.round(upAfterMs);
  } catch (cause) {
    broken.push(`did not come back: ${messageOf(cause)}`);
    return Number.NaN;
  }
}
