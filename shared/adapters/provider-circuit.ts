import { type Dependency, DomainError } from '#domain/errors.ts';
import { isOutage } from '#domain/identity/provider-outage.ts';
import type { IdentityProvider } from '#domain/ports/identity-provider.ts';
import { createBreaker } from './breaker.ts';

/** How long a provider that is down is not asked. */
const openMs = 10_000;

/**
 * Creates the function through which renewals ask a provider. After three faults in a row of different people's requests it asks nobody for 10 s, then
 * one request at a time, and beside it one of those that had no answer, until an answer comes. Sign-ins do not pass here: nobody without a session may keep others from being checked.
 * @param now epoch milliseconds
 */
export function createProviderCircuit(dependency: Dependency, now: () => number) {
	const breaker = createBreaker(now, openMs);
	let isSilent = false;

	/**
	 * @param about tells the person: one person's faults, however many, do not open the circuit of the others
	 * @param ask is told whether the last request had no answer
	 * @throws DomainError `dependency_slow` where the provider is not asked, and the errors of `ask`
	 */
	return async <Result>(about: string, ask: (isSilent: boolean) => Promise<Result>): Promise<Result> => {
		const admission = breaker.admit(about, true);
		const cause = 'not asked: the last requests had no answer';
		if (admission === null) throw new DomainError('dependency_slow', { dependency, cause, retryAfterMs: openMs });
		let isDown = false;
		try {
			return await ask(isSilent);
		} catch (error) {
			isDown = isOutage(error);
			throw error;
		} finally {
			isSilent = isDown;
			if (!isDown) admission.answered();
			admission.ended(isDown);
		}
	};
}

/** Returns the same identity provider, asked through a circuit: for renewals. */
export function withCircuit(provider: IdentityProvider, now: () => number): IdentityProvider {
	const ask = createProviderCircuit('identityProvider', now);
	return {
		getUser: (id) => ask(`user ${id}`, () => provider.getUser(id)),
		getSchemaProduct: (clientId, productId) => ask(`client ${clientId}`, () => provider.getSchemaProduct(clientId, productId)),
		listProductxUserxClient: (id, clientId) => ask(`user ${id}`, () => provider.listProductxUserxClient(id, clientId)),
	};
}
