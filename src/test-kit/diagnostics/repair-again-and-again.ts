// node --import tsx <this file> <svc.yaml>: repairs the file and takes it back until it is killed. Says "ready" first.
import { applyModbusFix } from '../../diagnostics/doctor/fix.ts';

const [, , path = ''] = process.argv;
process.stdout.write('ready\n');
for (;;) {
  const { undo } = await applyModbusFix(
    path,
    {
      unsafe: null,
      mismatches: { baudrate: { current: 9600, detected: 19_200 } },
      detected: { serial_port: '/dev/ttyUSB0', baudrate: 19_200, parity: 'N', device_id: 1 },
    },
    { env: {} },
  );
  await undo();
}
