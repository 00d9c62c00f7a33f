/** Names of new files and folders: no hidden ones, nothing that leads out. */
const NEW_ID = /^[\p{L}\p{N}_][\p{L}\p{N}_.-]*(?:\/[\p{L}\p{N}_][\p{L}\p{N}_.-]*)*$/u;
const LONGEST_ID = 200;

/** Whether a new scenario may have this name: letters, digits, `_`, `-`, `.`, and `/` for folders. */
export const isNewId = (id: string): boolean => id.length <= LONGEST_ID && NEW_ID.test(id);
