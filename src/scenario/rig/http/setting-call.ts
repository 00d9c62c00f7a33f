import type { Setting } from '../rig.ts';
import type { Call } from './bridge-client.ts';

const CALL_TIMEOUT_MS = 5000;
const LUNG_TIMEOUT_MS = 10_000;

type SettingCall = Pick<Call, 'method' | 'url' | 'body' | 'timeoutMs'>;

/** The bridge call of a setting. Arguments are query parameters. */
export function settingCall(base: string, setting: Setting): SettingCall {
  const hardware = `${base}/api/v1/hardware`;
  switch (setting.kind) {
    case 'pump':
      return {
        method: 'POST',
        url: `${hardware}/pump?power_pct=${setting.powerPct}`,
        timeoutMs: CALL_TIMEOUT_MS,
      };
    case 'valve':
      return {
        method: 'POST',
        url: `${hardware}/valve/${encodeURIComponent(setting.id)}?value=${setting.open}`,
        timeoutMs: CALL_TIMEOUT_MS,
      };
    case 'lung': {
      if (setting.action === 'stop')
        return { method: 'POST', url: `${hardware}/lung/stop`, timeoutMs: LUNG_TIMEOUT_MS };
      const { steps, speed, cycles, pauseS } = setting;
      return {
        method: 'POST',
        url: `${hardware}/lung?steps=${steps}&speed=${speed}&cycles=${cycles}&pause=${pauseS}`,
        timeoutMs: LUNG_TIMEOUT_MS,
      };
    }
    case 'other':
      return peripheralCall(base, setting.id, setting.value);
  }
}

/** PUT of a peripheral without a driver, also the mirror of pump and valve states. */
export const peripheralCall = (base: string, id: string, value: number | string | boolean): SettingCall => ({
  method: 'PUT',
  url: `${base}/api/v1/peripherals/${encodeURIComponent(id)}`,
  body: { currentValue: value, targetValue: value },
  timeoutMs: CALL_TIMEOUT_MS,
});

/** The same to the lung service itself, for bridges that know no lung. */
export function lungServiceCall(lungUrl: string, setting: Extract<Setting, { kind: 'lung' }>): SettingCall {
  if (setting.action === 'stop')
    return { method: 'POST', url: `${lungUrl}/api/stop`, timeoutMs: LUNG_TIMEOUT_MS };
  const { steps, speed, cycles, pauseS } = setting;
  return {
    method: 'POST',
    url: `${lungUrl}/api/lung`,
    body: { steps, speed, cycles, pause: pauseS },
    timeoutMs: LUNG_TIMEOUT_MS,
  };
}
