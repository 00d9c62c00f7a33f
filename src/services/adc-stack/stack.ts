import type { AdcSurroundings } from '../../rig/adc/adc-service.ts';
import { BankSource } from '../../rig/adc/bank-source.ts';
import { HID_ADC, HidAdc } from '../../rig/adc/hid-adc.ts';
import { bankSettings, uartAdcSettings, usbAdcSettings } from '../../rig/adc/settings.ts';
import { eachSource, ON_BOARD, type Sources } from '../../rig/adc/source.ts';
import { SourceLedger } from '../../rig/adc/source-ledger.ts';
import { UART_ADC, UartAdc } from '../../rig/adc/uart-adc.ts';

/** The sources of the three logical channels. What no channel needs is undefined: it is neither locked nor opened. */
export interface Stack {
  hid: HidAdc | undefined;
  uart: UartAdc | undefined;
  bank: BankSource | undefined;
  sources: Sources;
  /** Whether the pressure calibration was confirmed for them. */
  ledger: SourceLedger;
  /** Volts of the chip's reference: the end of its range. */
  referenceVolts: number;
  /** Where the devices are, also those that are not used. */
  endpoints: Readonly<Record<typeof HID_ADC | typeof UART_ADC, string>>;
}

/** @throws StartRefusedError */
export function stackOf(around: AdcSurroundings): Stack {
  const { env, logger, clock } = around;
  const hidSettings = usbAdcSettings(env);
  const uartSettings = uartAdcSettings(env);
  const settings = bankSettings(env);
  const bank =
    settings &&
    new BankSource({
      settings,
      clock,
      onBootIdChanged: ({ from, to }) =>
        logger.warn(`the bank was started anew: its boot_id was ${from} and is ${to}`),
    });
  const sources = sourcesOf(bank);
  const isUsed = (adapter: string) => Object.values(sources).some((source) => source.adapter === adapter);
  return {
    hid: isUsed(HID_ADC) ? new HidAdc({ ...around, settings: hidSettings }) : undefined,
    uart: isUsed(UART_ADC) ? new UartAdc({ ...around, settings: uartSettings }) : undefined,
    bank,
    sources,
    ledger: new SourceLedger({
      stateDir: hidSettings.stateDir,
      sources,
      clock,
      log: (line) => logger.warn(line),
    }),
    referenceVolts: hidSettings.reference.volts,
    endpoints: { [HID_ADC]: hidSettings.address, [UART_ADC]: uartSettings.endpoint },
  };
}

function sourcesOf(bank: BankSource | undefined): Sources {
  return eachSource((name) => {
    const channel = bank?.settings.channels.get(name);
    if (bank === undefined || channel === undefined) return ON_BOARD[name];
    return {
      adapter: 'bank',
      input: `ch${channel}`,
      url: bank.endpoint,
      bank_id: bank.settings.bankId ?? null,
    };
  });
}
