import { fileURLToPath } from 'node:url';

/** Lets the programs that tests start share what Node has compiled, and what is left of TypeScript without its types. */
export const compileCache = {
	NODE_COMPILE_CACHE: fileURLToPath(new URL('../../node_modules/.cache/compiled', import.meta.url)),
};
