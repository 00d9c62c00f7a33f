import { BankTwin } from '../../devices/bank/twin.ts';
import { reasonOf } from '../../lib/errors/coded-error.ts';
import { BenchError } from '../bench-error.ts';
import { SocketPort } from './socket-port.ts';
import { inputsOf, newStation, type Surroundings } from './surroundings.ts';

/** The remote ADC bank. @param port on 127.0.0.1; 0 takes a free one, and keeps it when it is off the network a while */
export function bankStation(around: Surroundings, port: number) {
  const { station, twinOptions } = newStation(around, 'bank');
  const twin = new BankTwin({ ...twinOptions, volts: inputsOf(around, 'bank') });
  let bound = port;
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
  station.equip({
    twin,
    ports: [new SocketPort({ name: 'bank', socket, address: () => `http://127.0.0.1:${bound}` })],
  });
  return { station, twin };
}
