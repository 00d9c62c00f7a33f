export interface MetricDeclaration {
  help: string;
  labels: readonly string[];
}

/** Metrics: meaning and labels. */
const METRICS: Readonly<Record<string, MetricDeclaration>> = {
  svc_http_requests_total: {
    help: 'Requests answered; status 499: the client went away before the answer',
    labels: ['service', 'route', 'method', 'status'],
  },
  svc_http_request_duration_seconds: {
    help: 'Time from the request to its answer, of a stream to its first byte',
    labels: ['service', 'route', 'method'],
  },
  svc_device_up: { help: 'Whether the device is there, as far as is known: 1 or 0', labels: ['device'] },
  svc_device_errors_total: { help: 'Requests that failed at the device', labels: ['device', 'code'] },
  svc_adc_volts: {
    help: 'Last reading of the channel, in volts; NaN when it failed',
    labels: ['channel', 'adapter'],
  },
  svc_hardware_mode: { help: 'The mode that is 1 is the one the service runs in', labels: ['mode'] },
  svc_lease_active: { help: 'Whether the lease of the rig is held: 1 or 0', labels: [] },
  svc_safe_state_total: { help: 'Safe states that ended', labels: ['outcome'] },
  svc_undervoltage: { help: 'Whether the supply was under voltage when last asked: 1 or 0', labels: [] },
  svc_guard_reaction_seconds: {
    help: 'How long the guard took when it last had to make the rig safe: from knowing to all valves confirmed off',
    labels: [],
  },
  svc_guard_reaction_timestamp_seconds: {
    help: 'When the reaction of the guard was measured, as Unix time',
    labels: [],
  },
  svc_runs_total: { help: 'Runs that ended', labels: ['status'] },
};

/** Undefined for a metric that a service defines itself. */
export function metricDeclaration(name: string): MetricDeclaration | undefined {
  return Object.hasOwn(METRICS, name) ? METRICS[name] : undefined;
}
