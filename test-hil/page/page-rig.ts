import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { systemClock } from '../../src/lib/clock/clock.ts';
import { temporaryFolder } from '../../src/test-kit/end-with-parent.ts';
import { root } from '../rig/bench/program.ts';
import { SafetyRig, type SafetyRigOptions } from '../rig/safety/safety-rig.ts';
import { PAGE_ENV } from './browser.ts';

/** Text that would do something if a page took it for HTML. */
export const SCRIPT = '<img src=x onerror="window.wasRun=1"><script>window.wasRun=1</script>';
/** Without quotes and white space: it fits into every text of a scenario and into the name of a file. */
export const SCRIPT_TEXT =
  '<svg><img src=x onerror=wasRun=1>{{constructor.constructor(`wasRun=1`)()}}javascript:wasRun=1';
/** Id of a scenario. */
export const SCRIPT_FILE = '<img src=x onerror=wasRun=1>javascript:wasRun=1';

export const SCENARIOS = {
  pass: "SCENARIO: Quick pass\nDEVICE_TYPE: Mask\nDESCRIPTION: One reading\nGOAL:\n  SET NAME 'One reading'\n  CHECK 0 <= AI01 <= 4 V\n",
  fail: "SCENARIO: Sure fail\nGOAL:\n  SET NAME 'Too high'\n  CHECK AI01 >= 3 V\n    ERROR 'the voltage is too low'\n",
  limits:
    "SCENARIO: Own limits\nDEFAULT highest 3.5 V\nGOAL:\n  SET NAME 'One reading'\n  CHECK 0 <= AI01 <= highest V\n",
  hold: "SCENARIO: Long hold\nGOAL:\n  SET NAME 'Hold'\n  SET valve-nc open\n  SET pump 20 %\n  SAMPLE AI01 START\n  WAIT 120s\n  SAMPLE AI01 STOP\nCONFIG teardown:\n  SET pump 0 %\n  SET valve-nc close\n",
  prompt:
    "SCENARIO: Asks twice\nGOAL:\n  SET NAME 'Asks'\n  PROMPT 'Is the strap tight?'\n  PROMPT 'Which size?' AS size CHOICES 'S' 'M'\n  CHECK 0 <= AI01 <= 4 V\n",
  picture:
    "SCENARIO: Shows a picture\nGOAL:\n  SET NAME 'Asks'\n  PROMPT 'Is the strap tight? (media/strap.png)'\n  PROMPT 'And the buckle? (media/no-such.png)'\n  CHECK 0 <= AI01 <= 4 V\n",
  values:
    "SCENARIO: Asks for texts\nGOAL:\n  SET NAME 'Asks'\n  PROMPT 'Which strap?' AS strap\n  PROMPT 'Which buckle?' AS buckle\n  CHECK 0 <= AI01 <= 4 V\n",
  [SCRIPT_FILE]: `SCENARIO: Says script ${SCRIPT_TEXT}\nDEVICE_TYPE: ${SCRIPT_TEXT}\nDESCRIPTION: ${SCRIPT_TEXT}\nGOAL:\n  SET NAME '${SCRIPT_TEXT}'\n  LOG '${SCRIPT_TEXT}'\n  PROMPT 'Which strap? ${SCRIPT_TEXT}' AS strap\n  PROMPT 'Which one? ${SCRIPT_TEXT}' AS one CHOICES '${SCRIPT_TEXT}' 'M'\n  CHECK AI01 >= 3 V\n    ERROR '${SCRIPT_TEXT}'\n`,
  broken: 'SCENARIO: Broken\nGOAL:\n  SET nothing-here open\n',
} as const;

/** The whole rig on the bench, with scenarios of its own, for the page. */
export async function openPageRig(
  env: Readonly<Record<string, string>> = {},
  prepare: SafetyRigOptions['prepare'] = () => {},
): Promise<SafetyRig> {
  const folder = join(temporaryFolder('page-scenarios-'), 'scenarios');
  mkdirSync(folder);
  mkdirSync(join(folder, 'media'));
  copyFileSync(join(root, 'docs/screenshots/page-run.png'), join(folder, 'media/strap.png'));
  for (const [name, text] of Object.entries(SCENARIOS)) writeFileSync(join(folder, `${name}.oql`), text);
  const rig = await SafetyRig.open({ prepare, env: { ...PAGE_ENV, SVC_SCENARIO_DIR: folder, ...env } });
  // PM2 has it started; on a loaded machine it listens later. The time-out of the test bounds this.
  while (!(await fetch(`${rig.serverUrl}/health`).catch(() => undefined))) await systemClock.sleep(50);
  return rig;
}

export async function onPageRig(
  work: (rig: SafetyRig) => Promise<void>,
  env: Readonly<Record<string, string>> = {},
  prepare: SafetyRigOptions['prepare'] = () => {},
): Promise<void> {
  const rig = await openPageRig(env, prepare);
  try {
    await work(rig);
  } finally {
    await rig.close('SIGKILL');
  }
}

/** Runs a scenario to its end by the API. @returns id of the run */
export async function runOf(rig: SafetyRig, scenario: string, body: object): Promise<string> {
  const response = await fetch(`${rig.serverUrl}/api/scenarios/${scenario}/run?wait=60`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ mode: 'execute', ...body }),
  });
  const { run_id } = (await response.json()) as { run_id: string };
  return run_id;
}
