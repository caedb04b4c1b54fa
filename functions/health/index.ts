import { createTelemetry } from '../../shared/lambda/telemetry.ts';
import { createHandler } from './handler.ts';

export const handler = createHandler({ log: createTelemetry().log });
