import { sentText } from '../validation/parse.ts';
import type { Problem } from '../validation/problem.ts';
import { readSvg, refusal } from './read-svg.ts';

/** Returns why a text cannot be the background of a diagram, with its place; null: it can (shared/domain/board/DIAGRAM.md#background). */
export function svgProblem(sent: string): Problem | null {
	const read = readSvg(sent);
	if ('code' in read) return read;
	const [refused = read.limit] = read.refused;
	if (refused === null) return null;
	const before = read.text.slice(0, refused.start).split('\n');
	return refusal(sentText(refused.found), before.length, (before.at(-1) ?? '').length + 1);
}
