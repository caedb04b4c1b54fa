import { sessionCheck } from './session.ts';

/**
 * Creates a check for data that is read repeatedly, where requests may overlap. Call it when a request begins. It returns a function that
 * says whether the answer may be used: no later request has begun, and the session is the same.
 */
export function createReadCheck(): () => () => boolean {
	let begun = 0;
	return () => {
		begun += 1;
		const own = begun;
		const isSameSession = sessionCheck();
		return () => own === begun && isSameSession();
	};
}
