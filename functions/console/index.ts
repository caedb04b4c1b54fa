import { createTelemetry } from '#wiring/telemetry.ts';
import { createHandler } from './handler.ts';

/** The files of the console as JSON. The bundler writes them in place of this name (infra/aws/bundle.ts). */
declare const consoleFiles: string;

export const handler = createHandler({ log: createTelemetry().log, files: async () => consoleFiles });
