import { discoverySchema, readConfig } from '#shared/config.ts';
import { createTelemetry } from '#wiring/telemetry.ts';
import { createHandler } from './handler.ts';

const { TOKEN_ISSUER: issuer, PUBLIC_URL, OPENID_EXCHANGE } = readConfig(discoverySchema);

export const handler = createHandler({
	log: createTelemetry().log,
	issuer,
	serviceUrl: PUBLIC_URL ?? null,
	exchangesTokens: OPENID_EXCHANGE === 'on',
});
