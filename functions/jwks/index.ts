import { createSsmPublicKeys } from '#adapters/aws/ssm-key-ring.ts';
import { keyRingSchema, readConfig } from '#shared/config.ts';
import { createTelemetry } from '#wiring/telemetry.ts';
import { createHandler } from './handler.ts';

const publicKeys = createSsmPublicKeys({ parameter: readConfig(keyRingSchema).KEY_RING });

export const handler = createHandler({ log: createTelemetry().log, publicKeys });
