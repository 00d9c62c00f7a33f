// Loaded before a program (NODE_OPTIONS=--require): kills it with SIGKILL before the n-th call that changes a file below a folder or starts
// a program; a write is made by half before.
'use strict';

const fs = require('node:fs');
const childProcess = require('node:child_process');
const { syncBuiltinESMExports } = require('node:module');

const killAt = Number(process.env.KILL_AT);
const below = process.env.SVC_HOST_ROOT;
let calls = 0;

function count(half = () => {}) {
  calls++;
  if (calls !== killAt) return;
  half();
  process.kill(process.pid, 'SIGKILL');
  for (;;);
}

const isOurs = (path) => typeof path === 'number' || String(path).startsWith(below);

for (const name of [
  'renameSync',
  'rmSync',
  'mkdirSync',
  'symlinkSync',
  'chmodSync',
  'chownSync',
  'fsyncSync',
]) {
  const call = fs[name];
  fs[name] = (...args) => {
    if (args.some(isOurs)) count();
    return call(...args);
  };
}
for (const name of ['writeSync', 'writeFileSync']) {
  const call = fs[name];
  fs[name] = (file, data, ...rest) => {
    const bytes = Buffer.from(data);
    if (isOurs(file) && file !== 1 && file !== 2)
      count(() =>
        call(
          file,
          bytes.subarray(0, bytes.length >> 1),
          ...(name === 'writeSync' ? [0, undefined, rest[2] ?? null] : []),
        ),
      );
    return call(file, data, ...rest);
  };
}
const { spawnSync } = childProcess;
childProcess.spawnSync = (...args) => {
  count();
  const result = spawnSync(...args);
  count();
  return result;
};
syncBuiltinESMExports();
