import { type Check, seen } from '../finding.ts';

/** Group A: the configuration. */
export const configChecks: readonly Check[] = [
  {
    code: 'config_unavailable',
    severity: 'error',
    repair: 'restore_config',
    find: ({ detection: { config } }) => {
      if (config.ok && config.path !== null) return undefined;
      if (config.ok)
        return {
          message: 'svc.yaml is missing; the services run with their defaults',
          evidence: [
            seen('search', 'SVC_CONFIG_PATH is not set; ./svc.yaml and /etc/svc/svc.yaml do not exist'),
          ],
          cause: 'no configuration was installed, or this folder is not that of the rig',
          remedy:
            'run this in the folder of the rig, or set SVC_CONFIG_PATH; rootfs/etc/svc/svc.yaml is a complete example',
        };
      return {
        message: 'svc.yaml cannot be used',
        evidence: [seen(config.path ?? 'configuration', config.error)],
        cause: 'an edit left it unreadable or against its schema',
        remedy:
          'svcctl config check names each fault; svc.yaml.bak beside it is the file before the last repair',
      };
    },
  },
  {
    code: 'config_overridden_by_env',
    severity: 'warn',
    repair: 'align_environment',
    find: ({ detection: { config } }) => {
      if (!config.ok || config.overridden.length === 0) return undefined;
      const { overridden } = config;
      return {
        message: `${overridden.map(({ variable }) => variable).join(', ')} ${overridden.length > 1 ? 'win' : 'wins'} over svc.yaml`,
        evidence: overridden.map(({ variable, value, path, file_value }) =>
          seen(variable, `${value}; ${path} is ${file_value}`),
        ),
        cause: 'the environment of the services (rig.env) sets another value than svc.yaml',
        remedy: 'remove the variable from rig.env, then svcctl config apply',
      };
    },
  },
];
