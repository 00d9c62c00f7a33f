import type { Issue } from './finding.ts';

const MODBUS = /^(modbus_(adapter_only|not_detected|probe_incomplete)|adapter_modbus-io_.*)$/;
const ADAPTERS = /^(adapter_.*|modbus_adapter_only|modbus_not_detected|modbus_probe_incomplete)$/;

/** Which finding explains which others; the first that is there does. */
const EXPLAINS: readonly (readonly [cause: string, effects: RegExp])[] = [
  ['undervoltage_active', new RegExp(`${ADAPTERS.source}|^(usb_disconnects|usb_over_current)$`)],
  ['calibration_duplicate', /^config_unavailable$/],
  ['config_unavailable', /^(firmware_unreachable|modbus_not_detected|modbus_probe_incomplete)$/],
  ['config_overridden_by_env', /^(modbus_config_mismatch|modbus_device_id_mismatch|firmware_config_stale)$/],
  ['permission_needs_relogin', /^(device_permission_denied)$/],
  ['udev_rule_not_applied', /^(device_permission_denied)$/],
  ['device_permission_denied', MODBUS],
  ['modem_manager_probes', /^serial_port_busy$/],
  ['brltty_claims_port', /^serial_port_busy$/],
  ['serial_port_busy', MODBUS],
  ['modbus_port_reserved', MODBUS],
  ['usb_over_current', /^(usb_disconnects|modbus_not_detected)$/],
  ['usb_disconnects', /^(port_handle_deleted|modbus_not_detected)$/],
  ['port_handle_deleted', /^adapter_modbus-io_.*$/],
  ['modbus_config_missing', /^modbus_probe_incomplete$/],
  ['modbus_config_mismatch', /^(adapter_modbus-io_.*)$/],
  ['modbus_device_id_mismatch', /^(adapter_modbus-io_.*)$/],
  ['modbus_not_detected', /^(adapter_modbus-io_.*|modbus_probe_incomplete)$/],
  ['modbus_adapter_only', /^(adapter_modbus-io_.*|modbus_probe_incomplete)$/],
  ['modbus_output_mode', /^adapter_modbus-io_.*$/],
  ['firmware_config_stale', /^(config_stale_in_process)$/],
  ['i2c_bus_stuck', /^adapter_sensor-adc_.*$/],
  ['i2c_bus_missing', /^adapter_sensor-adc_.*$/],
  ['adc_profile_conflict', /^adapter_adc-stack_.*$/],
  ['serial0_is_debug_port', /^serial_console_active$/],
];

/** Marks each finding that another one explains. The cause of a cause is named, so that every fold has one head. */
export function fold(issues: readonly Issue[]): Issue[] {
  const codes = new Set(issues.map(({ code }) => code));
  const causeOf = (code: string): string | undefined =>
    EXPLAINS.find(([cause, effects]) => cause !== code && codes.has(cause) && effects.test(code))?.[0];
  const headOf = (code: string): string | null => {
    let head = causeOf(code);
    for (let hops = 0; head !== undefined && hops < EXPLAINS.length; hops++) {
      const next = causeOf(head);
      if (next === undefined) return head;
      head = next;
    }
    return head ?? null;
  };
  return issues.map((issue) => ({ ...issue, caused_by: headOf(issue.code) }));
}
