import { valueOrBit } from '#page/core/past/windows.ts';
import { showsOutdated } from '#page/core/poll.ts';
import { readingOf, useReadings } from '#page/core/readings.ts';
import { shownOf } from '#page/core/shown.ts';
import { formatValue } from '#page/format/number.ts';
import { commonText } from '#page/i18n/common.ts';
import { qualityWords } from '#page/i18n/reasons.ts';
import { QualityMark, ValueText } from '#page/parts/value-text.tsx';
import type { AlarmDraft } from './alarm-draft.ts';
import { alarmEditorText } from './alarm-editor-texts.ts';
import { conditionHolds, type WatchedCondition } from './watched-past.ts';

/** Shows the present value of the variable, and whether the typed condition holds for it. Shows nothing until the condition is complete. */
export function TypedCondition({ draft: { varId, bit, condition, threshold } }: { readonly draft: AlarmDraft }) {
	const text = alarmEditorText();
	useReadings(varId === null ? [] : [varId]);
	const reading = varId === null ? undefined : readingOf(varId).value;
	if (varId === null || bit === 'choose' || typeof threshold !== 'number' || reading === undefined) return null;
	const { value, quality, unit } = shownOf(reading);
	const watched = valueOrBit(value, bit);
	return (
		<p aria-live="polite">
			{commonText().now}:{' '}
			<ValueText
				text={watched === null ? null : watchedText(varId, bit, watched)}
				unit={bit === null ? unit : ''}
				current={quality === 'good' && !showsOutdated.value}
			/>{' '}
			{quality !== 'good' && <QualityMark quality={quality} word={qualityWords()[quality]} />} ·{' '}
			{text.wouldBe[stateFor({ condition, threshold }, showsOutdated.value ? null : watched)]}
		</p>
	);
}

/** Formats the watched value. A bit is 0 or 1. */
function watchedText(varId: number, bit: number | null, watched: number): string {
	return bit === null ? formatValue(varId, watched) : String(watched);
}

/** Returns the state that an alarm would have for a value; `unknown` without one. */
function stateFor(condition: WatchedCondition, value: number | null): 'active' | 'normal' | 'unknown' {
	if (value === null) return 'unknown';
	return conditionHolds(condition, value) ? 'active' : 'normal';
}
