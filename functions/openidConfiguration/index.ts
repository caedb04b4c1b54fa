import { issuerSchema, readConfig } from '#shared/config.ts';
import { createTelemetry } from '#wiring/telemetry.ts';
import { createHandler } from './handler.ts';

export const handler = createHandler({ log: createTelemetry().log, issuer: readConfig(issuerSchema).TOKEN_ISSUER });
