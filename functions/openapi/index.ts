import { createTelemetry } from '#wiring/telemetry.ts';
import { createHandler } from './handler.ts';

/** The document as JSON. The bundler writes it in place of this name (infra/aws/bundle.ts). */
declare const openApiDocument: string;

export const handler = createHandler({ log: createTelemetry().log, document: async () => openApiDocument });
