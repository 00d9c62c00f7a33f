import * as z from 'zod';

/** What is known of one version of a scenario's text. */
export const SAVED_VERSION = z.object({
  /** From 1, without gaps. */
  n: z.int().min(1),
  /** SHA-256 of the bytes. */
  sha256: z.string(),
  saved_at: z.string(),
  /** Null: the file was changed outside this server, and its text was found at `saved_at`. */
  saved_by: z.string().nullable(),
  note: z.string().nullable(),
  /** The version whose text this one restored; null for any other. */
  restores: z.int().nullable(),
});

export type SavedVersion = z.output<typeof SAVED_VERSION>;
