/**
 * What signs in to the demo plant. The bundler writes it in place of this name (infra/console/bundle-page.ts): null everywhere but on one
 * machine with the demo on, so that code that tests it is not in a deployed page.
 */
declare const demoCredentials: Readonly<Record<'email' | 'tokenApp' | 'schemaName' | 'tsdb_name', string>> | null;
