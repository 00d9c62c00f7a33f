import { normalName } from '../../../rig/registry/name.ts';

const ACTUATOR_LIKE = /^(pump|pompa|valve|zawor|lung|pluco|motor|silnik|compressor)(?![a-z])/;

/** True for a name whose first word is a kind of actuator: a misspelt one must not become a variable. */
export const looksLikeActuator = (name: string): boolean => ACTUATOR_LIKE.test(normalName(name));
