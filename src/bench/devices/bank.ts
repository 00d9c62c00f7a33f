import { BankTwin } from '../../devices/bank/twin.ts';
import { reasonOf } from '../../lib/errors/reason.ts';
import { BenchError } from '../bench-error.ts';
import { inputsOf } from './bench-context.ts';
import { defineBenchDevice } from './define-bench-device.ts';
import { SocketPort } from './socket-port.ts';

/** The remote ADC bank. A port that it took once it keeps while it is unplugged. */
export const bank = defineBenchDevice({
  name: 'bank',
  tcpPorts: { bankPort: 'the remote ADC bank' },
  build: (context) => {
    const twin = new BankTwin({ ...context.twinOptions(), volts: inputsOf(context, 'bank') });
    let bound = context.tcpPort('bankPort');
    const socket = {
      open: async () => {
        try {
          bound = await twin.open(bound);
        } catch (cause) {
          const message = `cannot listen on 127.0.0.1:${bound} for the ADC bank: ${reasonOf(cause)}; give another --bank-port`;
          throw new BenchError('bench_port_in_use', message, { cause });
        }
      },
      close: () => twin.close(),
    };
    return { twin, ports: { bank: new SocketPort(socket, () => `http://127.0.0.1:${bound}`) } };
  },
});
