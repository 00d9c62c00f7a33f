import { ElFlowTwin } from '../../devices/el-flow/twin.ts';
import { normalLitres } from '../plant/normal-litres.ts';
import { ads1115 } from './ads1115.ts';
import { bank } from './bank.ts';
import { modbusIo } from './modbus-io.ts';
import { modbusIo2 } from './modbus-io-2.ts';
import { pump } from './pump.ts';
import { relay } from './relay.ts';
import { tic } from './tic.ts';
import { uart } from './uart.ts';
import { usbhid } from './usbhid.ts';
import { valvesLineSlave } from './valves-line-slave.ts';

/** A mass flow meter behind the pump, as unit 3. */
const elFlow = valvesLineSlave(
  'el-flow',
  (options, plant) =>
    new ElFlowTwin({
      ...options,
      laggedFlow: (tauS) => {
        const flow = plant.laggedFlow(tauS);
        return () => normalLitres(flow());
      },
    }),
);

/** The twins of the bench: a new device is a file, or an expression as above, and its place here. */
export const TWIN_DEVICES = [
  usbhid,
  uart,
  tic,
  modbusIo,
  pump,
  ads1115,
  bank,
  modbusIo2,
  elFlow,
  relay,
] as const;

type Definition = (typeof TWIN_DEVICES)[number];
type Built<One extends Definition> = ReturnType<One['build']>;
type ByName<Of extends Record<Definition['name'], unknown>> = Of[Definition['name']];

type AllOf<Union> = (Union extends unknown ? (one: Union) => void : never) extends (all: infer All) => void
  ? { [Key in keyof All]: All[Key] }
  : never;
type ShapeOf<One> = One extends { outputs?: { shape: infer Shape } } ? Shape : never;
/** Schemas of the outputs that the devices define, by their keys. */
export type OutputShape = AllOf<ShapeOf<Definition>>;

export type BenchDeviceName = Definition['name'] | 'plant';

/** Each twin by the name of its device. */
export type Twins = { readonly [One in Definition as One['name']]: Built<One>['twin'] };

/** Names of ports: those of the devices, and of further ways to one. */
export type AddressName = ByName<{ [One in Definition as One['name']]: keyof Built<One>['ports'] }>;

/** Options that fix a TCP port on 127.0.0.1. */
export type TcpPortOption = ByName<{
  [One in Definition as One['name']]: keyof NonNullable<One['tcpPorts']>;
}>;

export const BENCH_DEVICES: readonly BenchDeviceName[] = [...TWIN_DEVICES.map(({ name }) => name), 'plant'];

/** Those that are plugged in only where they are asked for. */
export const OPTIONAL_DEVICES: readonly BenchDeviceName[] = TWIN_DEVICES.flatMap(({ name, isOptional }) =>
  isOptional ? [name] : [],
);

export const OUTPUT_SHAPE = Object.assign(
  {},
  ...TWIN_DEVICES.map(({ outputs }) => outputs?.shape),
) as OutputShape;

/** What each option that fixes a TCP port is the port of. */
export const TCP_PORTS = Object.assign({}, ...TWIN_DEVICES.map(({ tcpPorts }) => tcpPorts)) as Readonly<
  Record<TcpPortOption, string>
>;
