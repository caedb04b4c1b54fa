import {
	GetAccountSettingsCommand,
	GetFunctionConcurrencyCommand,
	LambdaClient,
	LambdaServiceException,
	ResourceNotFoundException,
} from '@aws-sdk/client-lambda';
import { type ClientLimits, clientSettings } from '#adapters/aws/aws-client.ts';
import { capsOf, firstReached, typicalSeconds } from '#infra/aws/caps.ts';
import {
	expectedPerHour,
	minReservableConcurrency,
	minUnreservedConcurrency,
	reservedConcurrencyOf,
	schemasOfOne,
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
		notes: [
			...(accountConcurrency < minReservableConcurrency
				? [
						`Nothing is reserved below ${minReservableConcurrency}, so readings can use up what sign-in needs: ${raise}, then set accountConcurrency.`,
					]
				: []),
			...carriedTexts(settings),
		],
	};
}

/** Tells the requests per second that each setting carries, for how many schemas tasks are enough, and which setting is reached first. */
function carriedTexts(settings: Environment): readonly string[] {
	const caps = capsOf(settings);
	const each = [...Map.groupBy(caps, ({ setting }) => setting)].map(([setting, [first, ...others]]) => {
		const count = first?.endpoints.length ?? 0;
		const of = others.length > 0 ? ` for each of ${others.length + 1}` : count > 1 ? ` for ${count} together` : '';
		return `${setting} ${first?.perSecond}${of}`;
	});
	const reservations = new Map(Object.entries(reservedConcurrencyOf(settings)));
	const tasks = Object.entries(schemasOfOne).flatMap(([name, schemas]) => {
		const reservation = reservations.get(name);
		return reservation === undefined ? [] : [`${name} ${reservation * schemas}`];
	});
	const ofDashboard = new Map(deployedEndpoints(settings).map((row) => [row.name, expectedPerHour(row) / 3600] as const));
	const { cap, times } = firstReached(caps, ofDashboard);
	return [
		`At ${typicalSeconds} s a request, these carry so many requests per second to functions: ${each.join(', ')}.`,
		...(tasks.length > 0 ? [`Tasks are enough for so many schemas: ${tasks.join(', ')}.`] : []),
		`${cap.setting} (${cap.perSecond} a second) is reached first, by ${Math.floor(times)} dashboards with the requests that are expected of them.`,
	];
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
