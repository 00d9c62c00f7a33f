declare const SVC_VERSION: string | undefined;

/** Version of the package, put in by the bundler; sources run without it. */
export const version = typeof SVC_VERSION === 'string' ? SVC_VERSION : '0.0.0-dev';
