// Preloaded into the services of a measurement: SIGUSR2 collects their garbage, so that what grows is held on to.
const { setFlagsFromString } = require('node:v8');
const { runInNewContext } = require('node:vm');

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc');
process.on('SIGUSR2', () => collect());
