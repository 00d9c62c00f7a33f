import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { parse } from 'yaml';
import * as z from 'zod';

/** Parts of a rig that scenarios need. */
export const RIG_PARTS = ['valves', 'pump', 'lung', 'sensors', 'mask'] as const;
export type RigPart = (typeof RIG_PARTS)[number];

const schema = z.strictObject({
  rig: z.strictObject({
    host: z.string().min(1),
    port: z.int().min(1).max(65_535).default(22),
    user: z.string().min(1).default('operator'),
    /** Private SSH key. */
    key: z.string().min(1),
  }),
  /** What is connected and may be moved. */
  connected: z.array(z.enum(RIG_PARTS)).min(1),
  /** Control port of svc-bench where the devices are twins: only then can faults be set. */
  twins: z.url().optional(),
});

/** The rig on which the HIL suite runs. */
export type HilBench = z.output<typeof schema>;

/** @throws Error naming the file, the place in it and the remedy */
export function readBenchFile(path: string): HilBench {
  let content: unknown;
  try {
    content = parse(readFileSync(path, 'utf8'));
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message.split('\n')[0] : String(cause);
    throw new Error(`${path} cannot be read: ${reason}; copy test-hil/bench.example.yaml and fill it in`);
  }
  const checked = schema.safeParse(content);
  if (!checked.success) {
    const faults = checked.error.issues.map(
      ({ path: at, message }) => `${at.join('.') || 'file'}: ${message}`,
    );
    throw new Error(`${path}: ${faults.join('; ')}; test-hil/bench.example.yaml explains each entry`);
  }
  const { rig } = checked.data;
  return { ...checked.data, rig: { ...rig, key: rig.key.replace(/^~(?=\/)/, homedir()) } };
}
