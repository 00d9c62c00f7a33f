/**
 * In the environment of a guard that another guard has started: the pid of that one. It is of this process and no setting of
 * the rig, which have the prefix SVC_ and are handed on.
 */
export const PARTNER_MARK = 'GUARD_STARTED_BY';
