import type { ComponentHealth, ComponentStatus } from './ports.ts';

/** Health of a component, with what is not said as unknown. */
export function healthOf(
  status: ComponentStatus,
  message: string,
  more: Partial<ComponentHealth> = {},
): ComponentHealth {
  return {
    status,
    compatible: status === 'ok',
    code: null,
    message,
    endpoint: null,
    latencyMs: 0,
    bench: false,
    ...more,
  };
}
