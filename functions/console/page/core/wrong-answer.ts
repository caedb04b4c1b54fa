/**
 * Returns the error for an answer of the wrong kind: the service answered a save like a dry run, or a dry run like a save. One endpoint
 * does both, so the type of its answer allows either.
 */
export function wrongAnswer(asked: 'save' | 'dry run'): Error {
	return new Error(`The service answered a ${asked} like a ${asked === 'save' ? 'dry run' : 'save'}.`);
}
