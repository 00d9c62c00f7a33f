import type { Io } from '../io/io.ts';
import { type FollowOptions, followRun } from './follow-run.ts';
import { ServerCalls } from './server-calls.ts';

/** `svcctl follow`. @returns exit code @throws CliError */
export const followCommand = (
  id: string,
  { serverUrl, ...options }: FollowOptions & { readonly serverUrl?: string },
  io: Io,
): Promise<number> => followRun(new ServerCalls(serverUrl, io), id, options, io);
