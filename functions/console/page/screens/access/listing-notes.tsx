import { formatClock, formatDay, formatUtc, formatYear } from '#page/format/time.ts';
import { commonText } from '#page/i18n/common.ts';
import { Button } from '#page/parts/button.tsx';
import { Problems } from '#page/parts/problems.tsx';
import type { Listing } from './access-requests.ts';
import { accessText } from './texts.ts';

/** Says that a list is being read, or why it could not be read. */
export function Unread({ listing }: { readonly listing: Listing<unknown> }) {
	const result = listing.result.value;
	if (result === null) return <p role="status">{commonText().reading}</p>;
	if (result.ok) return null;
	return (
		<>
			<Problems failure={result.failure} fallback={accessText().notRead} />
			<Button onClick={() => void listing.load()}>{commonText().again}</Button>
		</>
	);
}

interface TimeOrNeverProps {
	/** Null: it never happened. */
	readonly time: string | null;
}

/** A day and time with its year, or that it never happened. */
export function TimeOrNever({ time }: TimeOrNeverProps) {
	if (time === null) return <span class="muted">{accessText().never}</span>;
	const at = Date.parse(time);
	return (
		<time dateTime={time} title={formatUtc(at)}>
			{formatDay(at)} {formatYear(at)} {formatClock(at)}
		</time>
	);
}
