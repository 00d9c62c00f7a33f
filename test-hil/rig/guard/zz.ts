import { onGuardedRig } from './guarded-rig.ts';
await onGuardedRig(async (rig) => {
  const bridge = await rig.bridge({ pm_id: '3' });
  const guard = await rig.guard({ SVC_GUARD_REHEARSE: '1' });
  await new Promise((r) => setTimeout(r, 130_000));
  console.log(guard.text(), bridge.text().slice(-600));
});
process.exit(0)
