// The processes of the rig, for PM2:
//
//   RIG_RUNTIME_DIR=$PWD/.rig PM2_HOME=.rig/pm2 npx pm2 start ecosystem.config.cjs
//
// Their settings are lines NAME=value in `rig.env` of the runtime folder (RIG_RUNTIME_DIR, else .rig beside this
// file). `npm start` writes that file; without it all start in mock mode, as they do everywhere.
//
// Which ADC services belong to the rig follows from the file `profile` there (or the one that RIG_PROFILE_FILE in
// `rig.env` names), never from the environment or from PM2's dump. `svcctl profile stack` and
// `svcctl profile standalone` switch; docs/profiles.md tells how they exclude each other.
const { existsSync, readFileSync } = require('node:fs');
const { homedir } = require('node:os');
const { join, resolve } = require('node:path');

const runtime = resolve(process.env.RIG_RUNTIME_DIR || join(__dirname, '.rig'));
const pm2Log = resolve(process.env.PM2_HOME || join(homedir(), '.pm2'), 'pm2.log');
const settings = readSettings(join(runtime, 'rig.env'));

/** The ADC services of each profile; src/rig/profiles/profile.ts has the same table. */
const PROFILES = { stack: ['svc-adc-stack'], standalone: ['svc-adc-usb', 'svc-adc-uart'] };

/** What holds for every process of the rig. */
function supervised(name, { logs = [], ...more }) {
  const files = ['out', 'err'].map((stream) => join(runtime, 'logs', `${name}.${stream}.log`));
  return {
    name,
    script: join(__dirname, 'dist', `${name}.cjs`),
    // The program itself, not PM2's container around it: nothing of PM2 runs inside a process that moves valves.
    interpreter: 'none',
    cwd: __dirname,
    out_file: files[0],
    error_file: files[1],
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
    // By this the tools know a process of this rig, also when PM2 has died.
    // It keeps its own log files, and `logs`, below logs.max_mb of svc.yaml.
    env: { RIG_RUNTIME_DIR: runtime, RIG_LOG_FILES: [...files, ...logs].join(':'), ...more.env },
  };
}

/**
 * The order is that in which PM2 stops them: who moves something goes before what it moves, the guard after all that it
 * guards.
 */
const RIG_SERVICES = ['svc-server', 'svc-bridge', 'svc-lung', 'svc-pump', 'svc-sensors', 'svc-guard'];
// Without them nobody would make the rig safe: they are started again at once, however often they end.
const AT_ONCE = { restart_delay: 200, exp_backoff_restart_delay: undefined };
// A run that samples fast makes much garbage: V8's four helper threads take 7 % of a core for it, one takes 5 %.
const serverEnv = { NODE_OPTIONS: [process.env.NODE_OPTIONS, '--v8-pool-size=1'].filter(Boolean).join(' ') };

// Of an appliance systemd supervises the guard, which then outlives PM2 and everything that PM2 starts.
const isOfSystemd = (name) => name === 'svc-guard' && settings.RIG_GUARD === 'systemd';
const apps = RIG_SERVICES.filter((name) => !isOfSystemd(name)).map((name) =>
  supervised(name, {
    ...(name === 'svc-bridge' || name === 'svc-guard' ? AT_ONCE : {}),
    // PM2 does not bound its own log: a line for each start and end.
    logs: name === 'svc-server' ? [pm2Log] : [],
    env: { ...only(['SVC_']), ...(name === 'svc-server' ? serverEnv : {}) },
  }),
);

// 8 s before SIGKILL: a switch of the profile waits 10 s for them.
for (const name of adcServices())
  apps.push(
    supervised(name, { kill_timeout: 8000, env: only(['SVC_', 'USBADC_', 'UARTADC_', 'BANK_ADC_']) }),
  );

// It owns no device and depends on nobody. Its threads give large blocks back to the system at once (docs/window.md).
const malloc = {
  MALLOC_ARENA_MAX: '2',
  MALLOC_MMAP_THRESHOLD_: '131072',
  MALLOC_TRIM_THRESHOLD_: '131072',
};
const windowEnv = { ...only(['SVC_']), ...malloc };
apps.push(supervised('svc-window', { args: 'serve', kill_timeout: 8000, env: windowEnv }));

// With a port for the bench the devices are twins.
if (settings.RIG_BENCH_PORT !== undefined) {
  const args = ['--dir', join(runtime, 'bench'), '--port', settings.RIG_BENCH_PORT, '--trace-max-mb', '20'];
  apps.push(supervised('svc-bench', { args }));
}

module.exports = { apps };

/** None before a profile was chosen. A word that is no profile is never taken for one; the other services go on. */
function adcServices() {
  const path = settings.RIG_PROFILE_FILE || join(runtime, 'profile');
  if (!existsSync(path)) return [];
  const word = readFileSync(path, 'utf8').trim();
  if (Object.hasOwn(PROFILES, word)) return PROFILES[word];
  const says = `${path} says ${JSON.stringify(word.slice(0, 40))}, which is no profile`;
  process.stderr.write(`${says}: no ADC service is started; svcctl profile stack writes it anew\n`);
  return [];
}

function only(prefixes) {
  const belongs = ([name]) => prefixes.some((prefix) => name.startsWith(prefix));
  return Object.fromEntries(Object.entries(settings).filter(belongs));
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
