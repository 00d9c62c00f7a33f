// Loaded before a program (NODE_OPTIONS=--require): puts the folders of records whose files it opened into a file at its end.
'use strict';

const fs = require('node:fs');
const { syncBuiltinESMExports } = require('node:module');

const { openSync, readFileSync, writeFileSync } = fs;
const opened = new Set();
const note = (path) => {
  const [, run] = /\/runs\/(r-\d{8}-\d+)\//.exec(String(path)) ?? [];
  if (run !== undefined) opened.add(run);
};

fs.openSync = (path, ...rest) => {
  note(path);
  return openSync(path, ...rest);
};
fs.readFileSync = (path, ...rest) => {
  note(path);
  return readFileSync(path, ...rest);
};
const { open } = fs.promises;
fs.promises.open = (path, ...rest) => {
  note(path);
  return open(path, ...rest);
};
syncBuiltinESMExports();
process.on('exit', () => writeFileSync(process.env.COUNT_READS, JSON.stringify([...opened])));
