// The processes of the rig, for PM2:
//
//   PM2_HOME=.rig/pm2 npx pm2 start ecosystem.config.cjs
//
// Their settings are lines NAME=value in `rig.env` of the runtime folder (RIG_RUNTIME_DIR, else .rig beside this
// file). `npm start` writes that file; without it the bridge starts in mock mode, as it does everywhere.
const { existsSync, readFileSync } = require('node:fs');
const { join, resolve } = require('node:path');

const runtime = resolve(process.env.RIG_RUNTIME_DIR || join(__dirname, '.rig'));
const settings = readSettings(join(runtime, 'rig.env'));

/** What holds for every process of the rig. */
function supervised(name, more) {
  return {
    name,
    script: join(__dirname, 'dist', `${name}.cjs`),
    // The program itself, not PM2's container around it: nothing of PM2 runs inside a process that moves valves.
    interpreter: 'none',
    cwd: __dirname,
    out_file: join(runtime, 'logs', `${name}.out.log`),
    error_file: join(runtime, 'logs', `${name}.err.log`),
    merge_logs: true,
    autorestart: true,
    watch: false,
    // 2 wrong configuration, 75 held by another owner: a restart would change nothing. Not 0: PM2 takes death by a
    // signal for exit code 0, and a bridge that was killed must come back and make the rig safe.
    stop_exit_codes: [2, 75],
    exp_backoff_restart_delay: 200,
    // A crash loop shall slow down and never end in a rig without its owner.
    max_restarts: 1_000_000,
    kill_timeout: 10_000,
    // Walking the process tree needs the program `ps`; none of these leaves children.
    treekill: false,
    pmx: false,
    vizion: false,
    ...more,
  };
}

/** The order is that in which PM2 stops them: who moves something goes before what it moves. */
const apps = [supervised('svc-bridge', { env: only('SVC_') })];

// With a port for the bench the devices are twins.
if (settings.RIG_BENCH_PORT !== undefined) {
  const args = ['--dir', join(runtime, 'bench'), '--port', settings.RIG_BENCH_PORT];
  apps.push(supervised('svc-bench', { args }));
}

module.exports = { apps };

function only(prefix) {
  return Object.fromEntries(Object.entries(settings).filter(([name]) => name.startsWith(prefix)));
}

function readSettings(path) {
  if (!existsSync(path)) return {};
  const lines = readFileSync(path, 'utf8').split('\n');
  return Object.fromEntries(
    lines.flatMap((line) => {
      const [, name, value] = /^([A-Z][A-Z0-9_]*)=(.*)$/.exec(line) ?? [];
      return name === undefined ? [] : [[name, value]];
    }),
  );
}
