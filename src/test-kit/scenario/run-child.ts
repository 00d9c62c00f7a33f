import { Interpreter } from '../../scenario/interpreter.ts';

/** A run in a process of its own, to be killed: `run-child.ts <bridge> <scenario>`. */
const [firmwareUrl = '', source = ''] = process.argv.slice(2);
const { outcome } = await new Interpreter({ mode: 'execute', firmwareUrl }).run(source, 'child.oql');
process.exitCode = outcome === 'passed' ? 0 : 1;
