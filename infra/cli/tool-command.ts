import { parse } from 'node:path';

/** Returns the words by which an operator starts another tool: `caudal user` where the program is `caudal`, otherwise `npm run user --`. */
export function toolCommand(tool: string): string {
	return parse(process.argv[1] ?? '').name === 'caudal' ? `caudal ${tool}` : `npm run ${tool} --`;
}
