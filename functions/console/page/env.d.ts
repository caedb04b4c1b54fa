/**
 * The credentials of the demo plant. The bundler replaces this name (infra/console/bundle-page.ts). It is null in a deployed page, so
 * code that tests it is left out there. It has a value only on one machine with the demo.
 */
declare const demoCredentials: Readonly<Record<'email' | 'tokenApp' | 'schemaName' | 'tsdb_name', string>> | null;
