import { onGuardedRig } from './guarded-rig.ts';
await Promise.all([1,2,3,4,5].map(() => onGuardedRig(async (rig) => {
  const bridge = await rig.bridge(); await rig.actuate(bridge);
  const guard = await rig.guardOf(bridge);
  guard.child.kill('SIGSTOP'); bridge.child.kill('SIGSTOP');
  const t = performance.now();
  const r = await rig.svcctl(['stop', '--json'], { SVC_FIRMWARE_URL: bridge.url }).ended;
  console.log(performance.now() - t, r.stdout.slice(0, 500), r.stderr);
})));
process.exit(0)
