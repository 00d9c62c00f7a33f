// Loaded before a program (NODE_OPTIONS=--require): kills it with SIGKILL at the n-th call that changes a record or makes the key, in the
// middle of the call where it writes. What was not synced by then is put into a file, since a power cut may take it: ends of files, and
// names of which the folder was not synced.
'use strict';

const fs = require('node:fs');
const { dirname } = require('node:path');
const { syncBuiltinESMExports } = require('node:module');
const { isMainThread } = require('node:worker_threads');

const killAt = Number(process.env.STRESS_KILL_AT);
const stateFile = process.env.STRESS_STATE;

if (isMainThread && killAt > 0 && stateFile) {
  const { openSync, closeSync, readFileSync, writeSync, writeFileSync, renameSync, fsyncSync, fstatSync } =
    fs;
  /** Descriptor -> path, of files of records. */
  const open = new Map();
  /** Path -> length that is on the disk. */
  const synced = new Map();
  /** Renames whose folder is not synced, oldest first; `old` is what the name had before, base64, null for nothing. */
  let renames = [];
  let calls = 0;

  const isRecord = (path) => typeof path === 'string' && /\/(runs(\/|$)|rig-key\.pem)/.test(path);
  const pathOf = (file) => (typeof file === 'number' ? open.get(file) : file);

  const kill = () => {
    const unsynced = [...synced].map(([path, bytes]) => ({ path, bytes }));
    writeFileSync(stateFile, JSON.stringify({ unsynced, renames }));
    process.kill(process.pid, 'SIGKILL');
    for (;;);
  };
  /** @param before what the call does by half before the program is killed */
  const count = (file, before = () => {}) => {
    if (!isRecord(pathOf(file))) return;
    calls++;
    if (calls !== killAt) return;
    before();
    kill();
  };

  fs.openSync = (path, ...rest) => {
    count(path);
    const file = openSync(path, ...rest);
    if (isRecord(path)) {
      open.set(file, path);
      if (!fstatSync(file).isDirectory()) synced.set(path, fstatSync(file).size);
    }
    return file;
  };
  fs.closeSync = (file) => {
    closeSync(file);
    open.delete(file);
  };
  fs.writeSync = (file, data, ...rest) => {
    count(file, () => {
      const bytes = Buffer.from(data);
      writeSync(file, bytes.subarray(0, Math.floor(bytes.length / 2)));
    });
    return writeSync(file, data, ...rest);
  };
  fs.writeFileSync = (file, data, ...rest) => {
    count(file, () => {
      const bytes = Buffer.from(data);
      writeFileSync(file, bytes.subarray(0, Math.floor(bytes.length / 2)));
    });
    return writeFileSync(file, data, ...rest);
  };
  fs.fsyncSync = (file) => {
    count(file);
    fsyncSync(file);
    const path = open.get(file);
    if (path === undefined) return;
    if (fstatSync(file).isDirectory()) renames = renames.filter(({ to }) => dirname(to) !== path);
    else synced.set(path, fstatSync(file).size);
  };
  const contentOf = (path) => {
    try {
      return readFileSync(path).toString('base64');
    } catch {
      return null;
    }
  };
  fs.renameSync = (from, to) => {
    count(from);
    const old = contentOf(to);
    renameSync(from, to);
    if (isRecord(to)) renames.push({ from, to, old });
    // The files of a folder that was renamed, or the file itself.
    for (const [path, bytes] of [...synced])
      if (path === from || path.startsWith(`${from}/`)) {
        synced.delete(path);
        synced.set(to + path.slice(from.length), bytes);
      }
    for (const [file, path] of [...open])
      if (path.startsWith(`${from}/`)) open.set(file, to + path.slice(from.length));
    count(to);
  };
  syncBuiltinESMExports();
}
