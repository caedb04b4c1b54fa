import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collect: unknown = runInNewContext('gc');

/** Frees what nothing refers to any more, so that a test can measure what is kept. */
export function collectGarbage(): void {
	if (typeof collect !== 'function') throw new TypeError('The garbage collector cannot be called.');
	collect();
}
