import type { Credentials } from '#page/core/session.ts';

interface SignInProps {
	/** What is known already. */
	readonly given: Partial<Credentials>;
	/** Whether the session has ended and the screen below waits. */
	readonly isAgain?: boolean;
}

/** The sign-in form. */
export function SignIn({ given }: SignInProps) {
	return <h1>{given.email}</h1>;
}
