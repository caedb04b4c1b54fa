import { setTimeout } from 'node:timers/promises';
import { openProviderDynamo, openSessionTables } from '#wiring/openid-deps.ts';
import { openOpenIdProviders } from '#wiring/openid-providers.ts';
import { withLambdaDeadline } from '#wiring/request-time.ts';
import { createTelemetry } from '#wiring/telemetry.ts';
import { createHandler } from './handler.ts';

const { log, metrics } = createTelemetry();

const logoutHandler = createHandler({
	log,
	now: Date.now,
	wait: (milliseconds) => setTimeout(milliseconds),
	...openSessionTables(openProviderDynamo()),
	openId: openOpenIdProviders(metrics),
});

export const handler = withLambdaDeadline(logoutHandler);
