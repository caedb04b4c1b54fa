import { createTelemetry } from '#wiring/telemetry.ts';
import { createHandler } from './handler.ts';

/** The version in package.json. The bundler writes it in place of this name (infra/aws/bundle.ts). */
declare const serviceVersion: string;

export const handler = createHandler({ log: createTelemetry().log, version: serviceVersion });
