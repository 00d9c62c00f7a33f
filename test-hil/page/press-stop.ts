import type { Page } from 'playwright-core';
import { systemClock } from '../../src/lib/clock/clock.ts';
import type { SafetyRig } from '../rig/safety/safety-rig.ts';
import { framesOf } from '../rig/safety/stop/wire.ts';

/** Of no use where only the kind of a frame is looked at. */
const ANY_ZERO = { atMs: 0, uncertaintyMs: 0 };

/** Valve 1 and the pump on, by hand. */
export async function actuate(rig: SafetyRig): Promise<void> {
  for (const path of ['valve/valve-1?value=true', 'pump?power_pct=30']) {
    const response = await fetch(`${rig.bridgeUrl}/api/v1/hardware/${path}`, { method: 'POST' });
    if (!response.ok) throw new Error(`${path}: ${await response.text()}`);
  }
  await untilOn(rig);
}

export async function untilOn(rig: SafetyRig): Promise<void> {
  while ((await rig.outputsOn()).length === 0) await systemClock.sleep(20);
}

/** Until the twin of the valves has received the frame that switches all of them off after `press`, and nothing is on. */
export async function allOffBy(rig: SafetyRig, press: () => Promise<void>): Promise<void> {
  rig.trace.advance();
  await press();
  while (!framesOf(rig.trace.advance(), ANY_ZERO).some(({ isAllOff }) => isAllOff))
    await systemClock.sleep(20);
  while ((await rig.outputsOn()).length > 0) await systemClock.sleep(20);
}

/** Puts a pointer down on the middle of STOP, whatever lies there, and lets it go. */
export async function pressStop(page: Page): Promise<void> {
  const box = await page.locator('.stop').boundingBox();
  if (!box) throw new Error('STOP is not on the page');
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  await page.mouse.down();
  await page.mouse.up();
}

/** What covers STOP at its middle or a corner, or that it is not wholly on the screen; null when it can be pressed everywhere. */
export const coverOfStop = (page: Page): Promise<unknown> =>
  page.evaluate(`(() => {
    const stop = document.querySelector('.stop');
    const { left, top, right, bottom } = stop.getBoundingClientRect();
    if (bottom - top < 80 || left < 0 || top < 0 || right > innerWidth || bottom > innerHeight)
      return 'STOP is at ' + [left, top, right, bottom].join(', ') + ' of ' + innerWidth + ' x ' + innerHeight;
    const points = [[(left + right) / 2, (top + bottom) / 2]];
    for (const x of [left + 12, right - 12]) for (const y of [top + 12, bottom - 12]) points.push([x, y]);
    for (const [x, y] of points) {
      const found = document.elementFromPoint(x, y);
      if (!found || !stop.contains(found)) return (found && found.outerHTML.slice(0, 200)) || 'nothing';
    }
    return null;
  })()`);
