import { openIdSchema, readConfig } from '#shared/config.ts';
import { openOpenIdProviders } from '#wiring/openid-providers.ts';
import { createTelemetry } from '#wiring/telemetry.ts';
import { createHandler } from './handler.ts';

const { log, metrics } = createTelemetry();

// Without an address of the console there is no provider with a button.
const { CONSOLE_URL: consoleUrl = '' } = readConfig(openIdSchema);

export const handler = createHandler({ log, openId: openOpenIdProviders(metrics), consoleUrl });
