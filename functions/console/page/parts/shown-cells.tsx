import { isByte } from '#domain/variable/byte.ts';
import { now } from '#page/core/clock.ts';
import { isStateUnit, type Shown } from '#page/core/shown.ts';
import type { VariableKind } from '#page/core/variable-kind.ts';
import { formatNumber, noNumber } from '#page/format/number.ts';
import { formatAge, formatUtc } from '#page/format/time.ts';
import { qualityWords, reasonText } from '#page/i18n/reasons.ts';
import { stateWords } from '#page/i18n/state-words.ts';
import { QualityMark, ValueText, type ValueTextProps } from './value-text.tsx';

interface ShownValueProps extends Pick<ValueTextProps, 'size'> {
	/** Null until the variable was read. */
	readonly shown: Shown | null;
	readonly kind: VariableKind;
	readonly decimals: number;
	/** Whether the value was read recently. If not, it is drawn as outdated, whatever its quality is. */
	readonly isFresh?: boolean;
}

/** A value with its unit: a number, the word of a state, or the digits of a byte. */
export function ShownValue({ shown, kind, decimals, size = 'cell', isFresh = true }: ShownValueProps) {
	const { on, off } = stateWords().state;
	const isCurrent = isFresh && shown?.quality === 'good';
	if (shown === null || shown.value === null) return <ValueText text={null} current={false} size={size} />;
	if (kind === 'byte')
		return (
			<span class="byte">
				<ValueText text={byteText(shown.value)} current={isCurrent} size={size} />
			</span>
		);
	if (isStateUnit(shown.unit)) return <ValueText text={shown.value === 0 ? off : on} current={isCurrent} size={size} />;
	return <ValueText text={formatNumber(shown.value, { decimals })} unit={shown.unit} current={isCurrent} size={size} />;
}

/**
 * The mark of the quality with its word, and the reason as a tooltip. Dashes are shown before the variable was read. The reason leaves out
 * an input with the name `ownName`; null leaves none out.
 */
export function ShownQuality({ shown, ownName }: { readonly shown: Shown | null; readonly ownName: string | null }) {
	if (shown === null) return <span class="muted">{noNumber}</span>;
	const reason = shown.reason === null ? undefined : reasonText(shown.reason, { ownName });
	return (
		<span title={reason}>
			<QualityMark quality={shown.quality} word={qualityWords()[shown.quality]} />
		</span>
	);
}

/** The age of the newest sample. It counts with the clock. */
export function ShownAge({ shown }: { readonly shown: Shown | null }) {
	if (shown === null || shown.at === null) return <span class="age">—</span>;
	return (
		<time class={shown.quality === 'good' ? 'age' : 'age old'} title={formatUtc(shown.at)}>
			{formatAge(now.value - shown.at)}
		</time>
	);
}

/** Returns the eight digits of a byte, the most significant first. A number that is not a byte is returned as it is. */
export function byteText(value: number): string {
	return isByte(value) ? value.toString(2).padStart(8, '0') : String(value);
}
