import * as z from 'zod';

/** `unsealed`: it has ended and has no seal, which is a fault; `open`: the run has not ended. */
const SEAL_STATE = z.enum(['sealed', 'unsealed', 'open', 'tampered']);

/** A run in answers, for the description. */
export const RUN = z.object({
  run_id: z.string(),
  scenario_id: z.string(),
  mode: z.enum(['execute', 'dry-run', 'validate']),
  hardware_mode: z.enum(['mock', 'real']),
  simulated: z.boolean().nullable(),
  bench: z.boolean().nullable(),
  status: z.enum([
    'queued',
    'running',
    'passed',
    'done',
    'failed',
    'error',
    'inconclusive',
    'aborting',
    'aborted',
  ]),
  ok: z.boolean(),
  passed: z.int().nullable(),
  total: z.int().nullable(),
  started_at: z.string(),
  ended_at: z.string().nullable(),
  errors: z.array(z.object({ code: z.string(), message: z.string() })),
  variables: z.record(z.string(), z.unknown()),
  safe_state: z
    .object({
      outcome: z.enum(['safe', 'simulated', 'partial', 'failed', 'unknown']),
      reason: z.string(),
      steps: z.array(z.object({ name: z.string(), ok: z.boolean(), error: z.string().optional() })),
    })
    .nullable(),
  prompt: z
    .object({
      n: z.int(),
      message: z.string(),
      asks: z.enum(['confirmation', 'choice', 'value']),
      choices: z.array(z.string()),
      task: z.boolean(),
      opened_at: z.string(),
      closes_at: z.string().nullable(),
    })
    .nullable(),
  operator: z.string().nullable(),
  unit_under_test: z.string().nullable(),
  part: z.string().nullable(),
  revision: z.string().nullable(),
  batch: z.string().nullable(),
  started_by: z.enum(['page', 'api', 'svcctl', 'schedule']).nullable(),
  station: z.object({ host: z.string(), rig_id: z.string() }).nullable(),
  /** What drove each device that is switched on; empty until the bridge was asked. */
  devices: z.record(z.string(), z.enum(['real', 'bench', 'mock'])).nullable(),
  /** Blocks that were tried again within one entry. */
  retries: z
    .array(
      z.object({
        block: z.string(),
        /** Not in older records. */
        entry: z.int().optional(),
        attempts: z.array(
          z.object({ attempt: z.int(), outcome: z.string(), message: z.string().nullable() }),
        ),
      }),
    )
    .nullable(),
  first_failed: z.object({ id: z.string(), block: z.string(), message: z.string() }).nullable(),
  /** Members that the record does not have: their null says nothing of the run. */
  not_recorded: z.array(z.string()),
  scenario_sha256: z.string(),
  /** What the record is worth; null: it was not compared with its seal for this answer. */
  seal: SEAL_STATE.nullable(),
});

/** A part of the list of runs. */
export const RUN_LIST = z.object({
  count: z.int(),
  runs: z.array(RUN),
  /** Records in this part of the list that cannot be read or trusted, and why. */
  damaged: z.array(z.object({ run_id: z.string(), reason: z.string(), seal: SEAL_STATE })),
  next: z.string().nullable(),
  source: z.enum(['index', 'directories']),
  note: z.string().nullable(),
});

const record = z.record(z.string(), z.unknown());

/** A report as JSON; what lies below goals and events is described by docs/api-server.md. */
export const RUN_REPORT = RUN.extend({
  duration_ms: z.number(),
  identity: record,
  evidence: record.nullable(),
  /** Every judged value, with its key across runs. */
  measurements: z.array(record),
  goals: z.array(record),
  diagnostics: z.array(record),
  samples: z.array(record),
  exports: record,
  events: z.array(record),
});

/** What was run. */
export const RUN_SCENARIO = z.object({
  run_id: z.string(),
  scenario_id: z.string(),
  sha256: z.string(),
  text: z.string(),
});

export const RIG_KEY = z.object({
  algorithm: z.literal('ed25519'),
  fingerprint: z.string(),
  public_key: z.string(),
});

/** Whether a record is what was sealed. */
export const RUN_VERIFICATION = z.object({
  run_id: z.string(),
  status: SEAL_STATE,
  faults: z.array(z.object({ file: z.string(), line: z.int().nullable(), reason: z.string() })),
  key: RIG_KEY.nullable(),
  sealed_at: z.string().nullable(),
});
