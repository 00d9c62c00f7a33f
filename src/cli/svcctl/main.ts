import { processIo } from '../io/io.ts';
import { svcctl } from './svcctl.ts';

svcctl(process.argv.slice(2), processIo()).then((exitCode) => {
  process.exitCode = exitCode;
});
