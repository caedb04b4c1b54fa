import { fileURLToPath } from 'node:url';

/** Lets the programs that tests start share compiled code, and the JavaScript that Node makes of TypeScript. */
export const compileCache = {
	NODE_COMPILE_CACHE: fileURLToPath(new URL('../../node_modules/.cache/compiled', import.meta.url)),
};
