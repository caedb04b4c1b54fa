import type { ReadonlySignal } from '@preact/signals';
import type { Quality } from '#domain/reading/quality.ts';
import { showsOutdated } from '#page/core/poll.ts';
import { noNumber } from '#page/format/number.ts';
import { classNames } from './class-names.ts';
import { Icon } from './icon.tsx';

/** Properties of ValueText. `text` is the formatted number, or a signal of it; null without one. `current` is true only if the quality is good. */
export interface ValueTextProps {
	readonly text: string | ReadonlySignal<string | null> | null;
	readonly unit?: string | null | undefined;
	readonly current: boolean;
	readonly size?: 'cell' | 'tile-size' | 'huge' | undefined;
}

/**
 * A number with its unit: bold and blue while it is current, grey and regular when it is not, two dashes without a value. No number is
 * current while readings are out of date.
 */
export function ValueText({ text, unit, current, size }: ValueTextProps) {
	return (
		<span class={classNames('value', size, text === null ? 'none' : (!current || showsOutdated.value) && 'old')}>
			<b>{size === 'tile-size' && text !== null ? <Groups text={text} /> : (text ?? noNumber)}</b>
			{unit !== undefined && unit !== null && unit !== '' && <span class="unit">{unit}</span>}
		</span>
	);
}

/** The places of a number where a line may end: after a sign between groups of digits, and before an exponent. */
const places = /(?<=[^\d.,e+-])|(?=e)/;

/** A number that goes on in the next line where it is wider than its tile, but never within a group of digits. */
function Groups({ text }: { readonly text: string | ReadonlySignal<string | null> }) {
	return (
		<>
			{/* The text of a signal is that of its value. */}
			{String(text)
				.split(places)
				.map((group) => (
					<>
						{group}
						<wbr />
					</>
				))}
		</>
	);
}

/** `word` is the quality in the user's language. */
interface QualityMarkProps {
	readonly quality: Quality;
	readonly word: string;
}

/** The mark of a quality with its word: violet and bold for whatever is not good, grey for good. */
export function QualityMark({ quality, word }: QualityMarkProps) {
	return (
		<span class={quality === 'good' ? 'quality good' : 'quality'}>
			<Icon name={`q-${quality}`} />
			{word}
		</span>
	);
}
