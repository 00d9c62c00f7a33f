/** In the environment of a guard that another guard has started: the pid of that one. */
export const PARTNER_MARK = 'SVC_GUARD_STARTED_BY';
