import type { ChangeOrigin } from '../changes/change-entry.ts';
import type { Correction } from './correction.ts';
import type { ReportEntry } from './entry.ts';

/**
 * Returns content with its author and the time of the save. If the save changes nothing, they stay those of the stored content, so that
 * nothing is stored. What a client sends as author and time is ignored.
 * @param stored null: the item is new
 */
export function signedContent<Content extends Correction | ReportEntry>(
	{ now, origin }: { readonly now: () => number; readonly origin: Pick<ChangeOrigin, 'actor'> },
	content: Content,
	stored: Content | null,
): Content {
	const { author, time } = stored ?? {};
	const isSame = stored !== null && JSON.stringify({ ...content, author, time }) === JSON.stringify(stored);
	return { ...content, ...(isSame ? { author, time } : { author: origin.actor, time: now() }) };
}
