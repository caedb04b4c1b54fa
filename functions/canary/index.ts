import { createSecretsManagerSecret } from '#adapters/aws/secrets-manager-secret.ts';
import { canarySchema, readConfig } from '#shared/config.ts';
import { createTelemetry } from '#wiring/telemetry.ts';
import { canaryTimeoutMs, createCanaryClient } from './client.ts';
import { createHandler } from './handler.ts';

const config = readConfig(canarySchema);

const client = createCanaryClient({
	url: config.SERVICE_URL,
	email: config.CANARY_EMAIL,
	schema: config.CANARY_SCHEMA,
	database: config.CANARY_DATABASE,
	token: createSecretsManagerSecret({ secretId: config.CANARY_TOKEN_SECRET }),
	timeoutMs: canaryTimeoutMs,
});

export const handler = createHandler({ ...createTelemetry(), client });
