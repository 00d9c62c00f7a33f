import * as assert from 'uvu/assert';
import { suite } from '../../test-kit/suite.ts';
import { planSwitch, type ServiceProcess, type SupervisedService } from './plan.ts';
import { ADC_SERVICES, type AdcService, PROFILE_NAMES, type Profile, servicesOf } from './profile.ts';

const test = suite('plan of a switch');

const [STACK, USB, UART] = ['svc-adc-stack', 'svc-adc-usb', 'svc-adc-uart'] as const;
const online = (name: AdcService, pid: number): SupervisedService => ({ name, pid, state: 'online' });
const down = (name: AdcService, state = 'stopped'): SupervisedService => ({ name, pid: 0, state });
const child = (name: AdcService, pid: number): ServiceProcess => ({ name, pid, bornSupervised: true });

/** What is there, and what leads from it to a profile: kept, stopped, ended (pids), started. */
const CASES: readonly {
  title: string;
  wanted: Profile;
  supervised?: SupervisedService[];
  processes?: ServiceProcess[];
  hung?: number[];
  plan: [keep: AdcService[], stop: AdcService[], end: number[], start: AdcService[]];
}[] = [
  { title: 'nothing runs', wanted: 'standalone', plan: [[], [], [], [USB, UART]] },
  {
    title: 'SVC-027 the other profile runs',
    wanted: 'stack',
    supervised: [online(USB, 1), online(UART, 2)],
    processes: [child(USB, 1), child(UART, 2)],
    plan: [[], [USB, UART], [], [STACK]],
  },
  {
    title: 'the wanted one runs: it is left alone',
    wanted: 'standalone',
    supervised: [online(USB, 1), online(UART, 2)],
    processes: [child(USB, 1), child(UART, 2)],
    plan: [[USB, UART], [], [], []],
  },
  {
    title: 'half of the wanted one was stopped by hand',
    wanted: 'standalone',
    supervised: [online(USB, 1), down(UART)],
    processes: [child(USB, 1)],
    plan: [[USB], [UART], [], [UART]],
  },
  {
    title: 'one ended with 75 and one waits to be started again',
    wanted: 'standalone',
    supervised: [down(USB), down(UART, 'waiting restart')],
    plan: [[], [USB, UART], [], [USB, UART]],
  },
  {
    title: 'PM2 has died: its children are ended, also those of the wanted profile',
    wanted: 'stack',
    processes: [child(STACK, 1)],
    plan: [[], [], [1], [STACK]],
  },
  {
    title: 'orphans beside resurrected ones that ended with 75',
    wanted: 'standalone',
    supervised: [down(USB), down(UART)],
    processes: [child(USB, 1), child(UART, 2)],
    plan: [[], [USB, UART], [1, 2], [USB, UART]],
  },
  {
    title: 'a switch was cut off after the start of the new profile',
    wanted: 'standalone',
    supervised: [online(STACK, 1)],
    processes: [child(STACK, 1)],
    plan: [[], [STACK], [], [USB, UART]],
  },
  {
    title: "PM2's word is not enough: a process that is gone does not run",
    wanted: 'stack',
    supervised: [online(STACK, 1)],
    plan: [[], [STACK], [], [STACK]],
  },
  {
    title: 'one of the wanted ones hangs: it is started anew, the other left alone',
    wanted: 'standalone',
    supervised: [online(USB, 1), online(UART, 2)],
    processes: [child(USB, 1), child(UART, 2)],
    hung: [1],
    plan: [[UART], [USB], [], [USB]],
  },
  {
    title: 'two entries of one name',
    wanted: 'stack',
    supervised: [online(STACK, 1), online(STACK, 2)],
    processes: [child(STACK, 1), child(STACK, 2)],
    plan: [[], [STACK], [], [STACK]],
  },
  {
    title: 'what a person started by hand is never ended',
    wanted: 'stack',
    processes: [{ name: USB, pid: 1, bornSupervised: false }],
    plan: [[], [], [], [STACK]],
  },
];

for (const { title, wanted, supervised = [], processes = [], hung = [], plan } of CASES)
  test(title, () => {
    const { keep, stop, end, start } = planSwitch(wanted, supervised, processes, new Set(hung));
    assert.equal([keep, stop, end.map(({ pid }) => pid), start], plan);
  });

test('SVC-025 from every state only services of the wanted profile are kept or started', () => {
  const states = [undefined, 'online', 'stopped'] as const;
  for (const wanted of PROFILE_NAMES)
    for (let code = 0; code < 3 ** 3; code++) {
      const supervised = ADC_SERVICES.flatMap((name, index) => {
        const state = states[Math.floor(code / 3 ** index) % 3];
        return state === undefined ? [] : [{ name, pid: state === 'online' ? index + 1 : 0, state }];
      });
      const processes = supervised.flatMap(({ name, pid }) => (pid === 0 ? [] : [child(name, pid)]));
      const { keep, stop, start } = planSwitch(wanted, supervised, processes);
      assert.equal([...keep, ...start].sort(), [...servicesOf(wanted)].sort());
      for (const { name } of supervised) assert.ok(keep.includes(name) || stop.includes(name), name);
    }
});

test.run();
