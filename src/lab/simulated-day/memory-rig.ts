import { Plant } from '../../bench/plant/index.ts';
import { Ads1115 } from '../../devices/ads1115/driver.ts';
import { type AdcInput, DEFAULT_ADDRESS } from '../../devices/ads1115/protocol.ts';
import { Ads1115Twin } from '../../devices/ads1115/twin.ts';
import { Dri0050 } from '../../devices/dri0050/driver.ts';
import { Dri0050Twin } from '../../devices/dri0050/twin.ts';
import { ModbusIo } from '../../devices/modbus-io/driver.ts';
import { ModbusIoTwin } from '../../devices/modbus-io/twin.ts';
import { RtuLine } from '../../devices/modbus-rtu/line.ts';
import type { RtuSlave } from '../../devices/modbus-rtu/slave.ts';
import { TicT249 } from '../../devices/tic/driver.ts';
import { TwinPipe } from '../../devices/tic/in-memory.ts';
import { TicTwin } from '../../devices/tic/twin.ts';
import type { TwinEvent } from '../../devices/twin-event.ts';
import type { Clock } from '../../lib/clock/clock.ts';
import { type Random, seededRandom } from '../../lib/random/seeded-random.ts';
import type { Rig } from '../../rig/hardware/ports.ts';
import { usable } from '../../rig/hardware/real/access.ts';
import { adcStackComponent } from '../../rig/hardware/real/http/adc-stack.ts';
import { drivenLung } from '../../rig/hardware/real/lung.ts';
import { managedAccess } from '../../rig/hardware/real/managed-access.ts';
import type { Opened } from '../../rig/hardware/real/managed-device.ts';
import { drivenPump } from '../../rig/hardware/real/pump.ts';
import { RealRig } from '../../rig/hardware/real/real-rig.ts';
import { TicLung } from '../../rig/hardware/real/tic-lung.ts';
import { LungRecord } from '../../rig/hardware/real/tic-lung-record.ts';
import { drivenValves } from '../../rig/hardware/real/valves.ts';
import { drivenVoltages } from '../../rig/hardware/real/voltages.ts';
import { stepSpec } from '../../rig/safe-state/report.ts';
import type { RigSurroundings } from '../../services/bridge/start-bridge.ts';
import type { I2cBus } from '../../transports/i2c/i2c-bus.ts';
import { denied, nack } from '../../transports/i2c/i2c-fault.ts';
import { BytePipe } from '../../transports/memory/byte-pipe.ts';
import { TransportError } from '../../transports/transport-error.ts';

/** Devices that move something. */
export type MovingDevice = 'modbus-io' | 'pump' | 'tic';

/** Where a serial twin is plugged in: one pipe at a time, a new one for each opening. */
class SerialPlug {
  readonly #slave: RtuSlave;
  readonly #baud: number;
  #pipe: BytePipe | undefined;
  #isOut = false;

  constructor(slave: RtuSlave, baud: number) {
    this.#slave = slave;
    this.#baud = baud;
  }

  take(): BytePipe {
    const pipe = new BytePipe({ address: 'memory', baud: this.#baud });
    void this.#pipe?.close();
    this.#pipe = pipe;
    this.#slave.connect((bytes) => pipe.send(bytes));
    pipe.onWritten((bytes) => this.#slave.receive(bytes));
    if (this.#isOut) pipe.unplug();
    return pipe;
  }

  pull(): void {
    this.#isOut = true;
    this.#pipe?.unplug();
  }

  push(): void {
    this.#isOut = false;
    this.#pipe?.plug();
  }
}

/** The twins of one rig on one plant, all on one clock, and bridges' rigs of real drivers on them. */
export class MemoryRig {
  readonly valves: ModbusIoTwin;
  readonly pump: Dri0050Twin;
  readonly lung: TicTwin;
  readonly adc: Ads1115Twin;
  readonly plant: Plant;
  readonly valvePlug: SerialPlug;
  readonly pumpPlug: SerialPlug;
  #lungPipe: TwinPipe;
  #isLungOut = false;

  /** @param saw told of everything the twins do */
  constructor({
    clock,
    random,
    saw,
  }: { clock: Clock; random: Random; saw: (device: MovingDevice, event: TwinEvent) => void }) {
    const chance = () => seededRandom(Math.floor(random() * 2 ** 31));
    this.plant = new Plant({ clock, random: chance() });
    let isEnergized = false;
    const listener = (device: MovingDevice) => (event: TwinEvent) => {
      if (event.kind === 'coil') this.plant.setCoil(event.coil, event.on);
      if (event.kind === 'drive') this.plant.setDuty(event.fraction);
      if (event.kind === 'motion') isEnergized = event.energized;
      saw(device, event);
    };
    // A device takes some time for each answer, so that what is under way can be interrupted.
    const slow = { clock, turnaroundMs: 4 };
    this.valves = new ModbusIoTwin({ ...slow, random: chance(), listener: listener('modbus-io') });
    this.pump = new Dri0050Twin({ ...slow, random: chance(), listener: listener('pump') });
    this.lung = new TicTwin({
      clock,
      random: chance(),
      vinMv: () => this.plant.vinMv(),
      listener: listener('tic'),
    });
    this.plant.attachLung({
      motion: () => this.lung.motion,
      isEnergized: () => isEnergized,
      supplyChanged: () => this.lung.update(),
    });
    this.adc = new Ads1115Twin({ clock, volts: (input: AdcInput) => this.plant.volts(input) });
    this.valvePlug = new SerialPlug(this.valves.slave, 19_200);
    this.pumpPlug = new SerialPlug(this.pump.slave, 9600);
    this.#lungPipe = new TwinPipe(this.lung, clock);
  }

  /** Outputs that are on. */
  get on(): string[] {
    const coils = this.valves.coils.flatMap((on, coil) => (on ? [`coil ${coil}`] : []));
    const { velocity, energized } = this.lung.motion;
    return [
      ...coils,
      ...(this.pump.output.fraction > 0 ? ['pump'] : []),
      ...(velocity !== 0 || energized ? ['lung'] : []),
    ];
  }

  unplug(device: MovingDevice | 'ads1115'): void {
    if (device === 'modbus-io') this.valvePlug.pull();
    else if (device === 'pump') this.pumpPlug.pull();
    else if (device === 'ads1115') this.adc.knobs.patch({ unplugged: true });
    else {
      this.#isLungOut = true;
      this.#lungPipe.unplug();
    }
  }

  plug(device: MovingDevice | 'ads1115'): void {
    if (device === 'modbus-io') this.valvePlug.push();
    else if (device === 'pump') this.pumpPlug.push();
    else if (device === 'ads1115') this.adc.knobs.patch({ unplugged: false });
    else {
      this.#isLungOut = false;
      this.#lungPipe.plug();
    }
  }

  /** The rig of one bridge, with the drivers of a real one. Nothing is locked: there is no one else in this process. */
  readonly build = (around: RigSurroundings): Rig => {
    const { config, clock } = around;
    const { plugins, adcMap } = config;
    const options = { ...around, plugins, adcMap };
    const place = { endpoint: 'memory', path: null, lockKeys: () => [], isBench: () => true };

    const valves = usable(plugins, 'modbus-io', ['modbus-rtu']);
    const pump = usable(plugins, 'pump-motor', ['modbus-rtu']);
    const lung = usable(plugins, 'lung-motor', ['usb']);
    const sensors = usable(plugins, 'sensor-adc', ['i2c']);
    if ('kind' in valves || 'kind' in pump || 'kind' in lung || 'kind' in sensors)
      throw new TypeError('the configuration of the day has valves, pump, lung and sensors');

    const rtu = async (plug: SerialPlug, baud: number, onLost: (cause: unknown) => void) => {
      const line = new RtuLine({ transport: plug.take(), baud, clock });
      await line.open();
      const forget = line.onState((state) => {
        if (state === 'absent') onLost(new TransportError('port_gone', 'memory', 'memory was unplugged'));
      });
      const close = () => {
        forget();
        return line.close();
      };
      return { line, close };
    };
    const valveAccess = managedAccess<ModbusIo>(options, 'modbus-io', {
      ...place,
      plugin: valves.plugin,
      open: async (onLost): Promise<Opened<ModbusIo>> => {
        const { line, close } = await rtu(this.valvePlug, 19_200, onLost);
        const driver = new ModbusIo(line);
        return { driver, close, start: () => driver.start(), probe: () => driver.probe() };
      },
    });
    const pumpAccess = managedAccess<Dri0050>(options, 'pump-motor', {
      ...place,
      plugin: pump.plugin,
      open: async (onLost): Promise<Opened<Dri0050>> => {
        const { line, close } = await rtu(this.pumpPlug, 9600, onLost);
        const driver = new Dri0050(line);
        return { driver, close, start: () => driver.start(), probe: () => driver.readState() };
      },
    });
    const lungAccess = managedAccess<TicLung>(options, 'lung-motor', {
      ...place,
      plugin: lung.plugin,
      open: async (onLost): Promise<Opened<TicLung>> => {
        await this.#lungPipe.close();
        this.#lungPipe = new TwinPipe(this.lung, clock);
        if (this.#isLungOut) this.#lungPipe.unplug();
        const tic = new TicT249(this.#lungPipe, { clock });
        await tic.open();
        const driver = new TicLung(tic, {
          clock,
          record: new LungRecord(),
          onLost: (cause) => {
            onLost(cause);
            around.onLost(`the lung: ${String(cause)}`);
          },
        });
        return { driver, start: async () => {}, probe: () => driver.read(), close: () => tic.close() };
      },
    });
    const sensorAccess = managedAccess<Ads1115>(options, 'sensor-adc', {
      ...place,
      plugin: sensors.plugin,
      open: async (): Promise<Opened<Ads1115>> => {
        const driver = new Ads1115(this.#bus(), { clock });
        return { driver, start: () => driver.probe(), probe: () => driver.probe(), close: async () => {} };
      },
    });
    return new RealRig({
      devices: {
        valves: drivenValves([{ id: 'modbus-io', access: valveAccess }], clock, {
          valves_off: stepSpec('valves_off').capMs,
          valves_verify: stepSpec('valves_verify').capMs,
        }),
        pump: drivenPump(pumpAccess, clock),
        lung: drivenLung(lungAccess, clock),
        sensors: new Map(),
        voltages: drivenVoltages(sensorAccess, clock),
      },
      adcStack: adcStackComponent({ plugins, clock, token: around.token }),
      plugins,
      hasAdcMap: false,
    });
  };

  #bus(): I2cBus {
    return {
      address: 'memory',
      transfer: async (device, write, readCount) => {
        if (this.adc.knobs.value.unplugged)
          throw new TransportError('port_gone', 'memory', 'memory was unplugged');
        if (device !== DEFAULT_ADDRESS) throw nack('memory', device);
        const answer = this.adc.transfer(write, readCount);
        if (!answer.ok) throw answer.error === 'nack' ? nack('memory', device) : denied('memory');
        return answer.bytes;
      },
      close: async () => {},
    };
  }
}
