import {
	GetAccountSettingsCommand,
	GetFunctionConcurrencyCommand,
	LambdaClient,
	LambdaServiceException,
	ResourceNotFoundException,
} from '@aws-sdk/client-lambda';
import { type ClientLimits, clientSettings } from '#adapters/aws/aws-client.ts';
import {
	minReservableConcurrency,
	minUnreservedConcurrency,
	reservedConcurrencyOf,
	typicalSeconds,
} from '#infra/aws/concurrency.ts';
import { deployedEndpoints } from '#infra/aws/deployed-endpoints.ts';
import type { Environment } from '#infra/aws/environment.ts';
import type { CheckResult } from '#infra/cli/print-check.ts';
import { ConfigError } from '#shared/config.ts';
import { functionNames } from '#shared/contract.ts';
import { resourceNames } from '#shared/resource-names.ts';

const limits: ClientLimits = { connectTimeoutMs: 3000, requestTimeoutMs: 10_000, maxAttempts: 3 };

/** Lambda's concurrency in the account and region: the quota, and how much of it functions have reserved. */
interface AccountConcurrency {
	readonly quota: number;
	/** By the functions of this environment, as they are deployed. */
	readonly own: number;
	/** By all other functions of the account, such as those of another environment. */
	readonly others: number;
}

/**
 * Checks that the account has enough unreserved concurrency for the settings.
 * @throws ConfigError when Lambda refuses the question; errors of the SDK when credentials or the network are missing
 */
export async function checkConcurrency(settings: Environment): Promise<CheckResult> {
	const { quota, own, others } = await readConcurrency(settings);
	const { accountConcurrency } = settings;
	const reservations = Object.values(reservedConcurrencyOf(settings));
	// A function without a reservation, which is undefined, takes none.
	const reserved = reservations.reduce<number>((sum, reservation) => sum + (reservation ?? 0), 0);
	const left = quota - others - reserved;
	const raise = 'ask AWS for a higher quota (Service Quotas, AWS Lambda, Concurrent executions)';
	return {
		subject: `Lambda's concurrency: the account has ${quota}. This environment reserves ${reserved}, now ${own}. Other functions have reserved ${others}`,
		missing: [
			...(accountConcurrency > quota
				? [
						`accountConcurrency is ${accountConcurrency}, but the account has ${quota}: ${raise}, or set accountConcurrency to ${quota}.`,
					]
				: []),
			...(reserved > 0 && left < minUnreservedConcurrency
				? [
						`The reservations leave ${left} to functions without one, and AWS refuses to leave less than ${minUnreservedConcurrency}: ${raise}, or lower accountConcurrency, which is this environment's share, or reservedConcurrency.`,
					]
				: []),
		],
		notes:
			accountConcurrency < minReservableConcurrency
				? [
						`Nothing is reserved below ${minReservableConcurrency}, so readings can use up what sign-in needs: ${raise}, then set accountConcurrency.`,
					]
				: [carriedText(settings)],
	};
}

/** Tells the requests per second that the reservations of the functions that read series carry, and which setting is reached first. */
function carriedText(settings: Environment): string {
	const reservations = reservedConcurrencyOf(settings);
	const carried = deployedEndpoints(settings).flatMap(({ name, uses }) => {
		const reservation = reservations[name];
		return uses.timeSeries && reservation !== undefined ? [[name, Math.floor(reservation / typicalSeconds)] as const] : [];
	});
	const { rate } = settings.throttling.requests;
	const polls = new Map<string, number>(carried).get('multipleDataTsdb') ?? 0;
	const first =
		polls < rate ? `the reservation of multipleDataTsdb (${polls}/s)` : `throttling.requests (${rate}/s for all routes)`;
	const each = carried.map(([name, perSecond]) => `${name} ${perSecond}`).join(', ');
	return `At ${typicalSeconds} s a request, these carry per second: ${each}. Polls reach ${first} first.`;
}

async function readConcurrency({ name }: Environment): Promise<AccountConcurrency> {
	const client = new LambdaClient(clientSettings({}, limits));
	try {
		const { AccountLimit = {} } = await client.send(new GetAccountSettingsCommand({}));
		const { ConcurrentExecutions: quota = 0, UnreservedConcurrentExecutions: unreserved = 0 } = AccountLimit;
		const names = resourceNames(name);
		let own = 0;
		for (const functionName of functionNames) own += await reservedFor(client, names.function(functionName));
		return { quota, own, others: quota - unreserved - own };
	} catch (error) {
		if (!(error instanceof LambdaServiceException && error.name === 'AccessDeniedException')) throw error;
		throw new ConfigError(
			`Lambda does not say the account's concurrency: these credentials need lambda:GetAccountSettings and lambda:GetFunctionConcurrency.`,
		);
	} finally {
		client.destroy();
	}
}

/** Returns the concurrency that is reserved for a function; 0 where there is no such function. */
async function reservedFor(client: LambdaClient, FunctionName: string): Promise<number> {
	try {
		const { ReservedConcurrentExecutions: reserved = 0 } = await client.send(new GetFunctionConcurrencyCommand({ FunctionName }));
		return reserved;
	} catch (error) {
		if (error instanceof ResourceNotFoundException) return 0;
		throw error;
	}
}
