import { openIdListSchema, readConfig } from '#shared/config.ts';
import { providersBesideBundle } from '#wiring/openid-settings.ts';
import { createTelemetry } from '#wiring/telemetry.ts';
import { createHandler } from './handler.ts';

const config = readConfig(openIdListSchema);

export const handler = createHandler({
	log: createTelemetry().log,
	providers: providersBesideBundle(config),
	credentials: config.LOGIN_SSO === 'on',
	// They are on one machine only.
	accounts: null,
	consoleUrl: config.CONSOLE_URL ?? null,
});
