import { guardProgram } from './guard-program.ts';

guardProgram();
