import { sessionCheck } from './session.ts';

/**
 * Creates a check for one thing that is read again and again, where readings may overlap. Call it when a reading begins. It returns a
 * function that says whether the answer is still to be used: no later reading has begun, and the session is the same.
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
