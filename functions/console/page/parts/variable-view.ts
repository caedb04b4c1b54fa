import { type ReadonlySignal, useComputed } from '@preact/signals';
import { now } from '#page/core/clock.ts';
import type { Variable } from '#page/core/definitions.ts';
import { showsOutdated } from '#page/core/poll.ts';
import { type Quality, readingOf } from '#page/core/readings.ts';
import { isUsable, type Shown, shownOf, stateOf } from '#page/core/shown.ts';
import { useStable } from '#page/core/use-stable.ts';
import { formatValue } from '#page/format/number.ts';
import { formatAge } from '#page/format/time.ts';

/** The data of a variable that a tile or a row shows. Each part is a signal of its own, so that only a changed part is drawn again. */
export interface VariableView {
	readonly shown: ReadonlySignal<Shown | null>;
	/** The quality; undefined until the variable was read. */
	readonly quality: ReadonlySignal<Quality | undefined>;
	/** The formatted number; null where there is none. */
	readonly number: ReadonlySignal<string | null>;
	/** Whether the number is the present one of the plant. Then it is bold and blue. */
	readonly isCurrent: ReadonlySignal<boolean>;
	/** Whether a state was on at the newest sample; null where it is not known. It is grey unless `isCurrent`. */
	readonly isOn: ReadonlySignal<boolean | null>;
	/** How old the newest sample is; null without one. */
	readonly age: ReadonlySignal<string | null>;
	/** When the newest sample was taken, in epoch milliseconds. */
	readonly at: ReadonlySignal<number | null>;
}

/** Returns the signals of a variable that a tile or a row shows. */
export function useVariableView({ id }: Variable): VariableView {
	const shown = useStable(() => {
		const reading = readingOf(id).value;
		return reading === undefined ? null : shownOf(reading);
	}, [id]);
	const at = useComputed(() => shown.value?.at ?? null);
	const quality = useComputed(() => shown.value?.quality);
	return {
		shown,
		quality,
		at,
		number: useComputed(() => {
			const value = shown.value?.value ?? null;
			return value === null ? null : formatValue(id, value);
		}),
		isCurrent: useComputed(() => quality.value === 'good' && !showsOutdated.value),
		isOn: useComputed(() => stateOf(shown.value)),
		age: useComputed(() => (at.value === null ? null : formatAge(now.value - at.value))),
	};
}

/** Whether a reading has no value that can be shown. False before the variable was read. */
export function isWithoutValue(quality: Quality | undefined): boolean {
	return quality !== undefined && !isUsable(quality);
}
