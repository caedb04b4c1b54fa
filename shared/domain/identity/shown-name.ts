import { withoutAtSigns } from '../access/actor.ts';
import { type Claims, claimValues } from './claims.ts';

/** The longest name, in characters, before the name of the provider. */
const maxNameLength = 100;

/** Characters that are not shown or that turn the direction of what follows: a name could look like another with them. */
const unshown = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Default_Ignorable_Code_Point}]/gu;

/**
 * Returns the name under which a person is shown: the verified e-mail, else `name`, `preferred_username` or `sub`, and then the provider
 * in brackets. Only a verified e-mail holds an `@`. So nobody is shown under the e-mail of somebody else, whatever a provider lets people
 * call themselves.
 * @example shownName({ sub: '8f1', name: 'Ada' }, 'entra') // 'Ada (entra)'
 */
export function shownName(claims: Claims, provider: string): string {
	const textOf = (claim: string): string => claimValues(claims, claim)[0] ?? '';
	const others = ['name', 'preferred_username', 'sub'].map((claim) => clean(withoutAtSigns(textOf(claim))));
	const shown = [clean(textOf('email')), ...others].find((each) => each !== '');
	return `${shown ?? 'nameless'} (${provider})`;
}

/** Returns the name under which a program is shown: its subject, as the provider writes it, and then the provider. */
export function shownSubject({ sub }: { readonly sub: string }, provider: string): string {
	return `${clean(sub) || 'nameless'} (${provider})`;
}

function clean(text: string): string {
	return [...text.replace(unshown, '').replace(/\s+/gu, ' ').trim()].slice(0, maxNameLength).join('');
}
