import * as z from 'zod';
import { type Route, route } from '../../lib/http/route.ts';
import type { AdcSurroundings } from '../../rig/adc/adc-service.ts';
import { BANK } from '../../rig/adc/bank-source.ts';
import {
  type Answered,
  bankProbe,
  type ComponentHealth,
  componentSchema,
  hidProbe,
  knownHealth,
  type Probed,
  uartProbe,
} from '../../rig/adc/health.ts';
import { HID_ADC } from '../../rig/adc/hid-adc.ts';
import { eachSource } from '../../rig/adc/source.ts';
import { UART_ADC } from '../../rig/adc/uart-adc.ts';
import { identityMembers } from '../../rig/service/answer-members.ts';
import { healthQuery, type KnownHealth } from '../../rig/service/known-health.ts';
import type { Stack } from './stack.ts';

const answer = z.object({
  ok: z.boolean(),
  status: z.enum(['connected', 'degraded']),
  ...identityMembers,
  components: z.record(z.string(), componentSchema),
  sources: z.object({ ai01: z.string(), ai02: z.string(), ai03: z.string() }),
  calibration_confirmation_required: z.boolean(),
  /** Why nothing is known of a confirmation. */
  calibration_fault: z.string().optional(),
});

/** SVC-011: 200, and `ok` is that of all components. */
export function healthRoutes(stack: Stack, { clock, meters, identity }: AdcSurroundings): Route[] {
  const { hid, uart, bank, ledger } = stack;
  const around = { clock, meters };
  const known = {
    hid: hid && knownHealth(around, hidProbe(hid)),
    uart: uart && knownHealth(around, uartProbe(uart)),
    bank: bank && knownHealth(around, bankProbe(bank)),
  };
  return [
    route({
      method: 'GET',
      path: '/health',
      summary: 'State of both adapters and of the bank, within 100 ms',
      access: 'open',
      query: healthQuery,
      answer,
      handler: async ({ query }) => {
        const ask = async (one: KnownHealth<Probed<Answered>>) =>
          (await one.get(query.wait_ms, query.max_age_ms)).health;
        const [hidHealth, uartHealth, bankHealth] = await Promise.all([
          known.hid ? ask(known.hid) : notUsed('hid', stack.endpoints[HID_ADC]),
          known.uart ? ask(known.uart) : notUsed('uart', stack.endpoints[UART_ADC]),
          known.bank && ask(known.bank),
        ]);
        if (bank?.bankId) ledger.noteBank(bank.bankId);
        const components = {
          [HID_ADC]: hidHealth,
          [UART_ADC]: uartHealth,
          ...(bankHealth ? { [BANK]: bankHealth } : {}),
        };
        const ok = Object.values(components).every((component) => component.ok);
        const { fault } = ledger;
        return {
          ok,
          status: ok ? 'connected' : 'degraded',
          ...identity,
          components,
          sources: eachSource((name) => stack.sources[name].adapter),
          calibration_confirmation_required: ledger.isConfirmationRequired,
          ...(fault === null ? {} : { calibration_fault: fault }),
        };
      },
    }),
  ];
}

function notUsed(transport: ComponentHealth['transport'], endpoint: string): ComponentHealth {
  const message = 'all its channels are on the bank; it is not opened';
  return { ok: true, status: 'not_used', message, transport, endpoint, bench: false };
}
