/** Why a replay cannot go on, in one line for the person who asked for it. */
export class ReplayFailure extends Error {
	override readonly name = 'ReplayFailure';
}
