import { type ReadonlySignal, signal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import { minuteMs } from '#domain/milliseconds.ts';
import { api, resultOf } from '#page/core/api.ts';
import type { StoredCorrection } from '#page/core/definitions.ts';
import { createReadCheck } from '#page/core/read-check.ts';
import type { TimeSpan } from './time-range.ts';
import type { TrendModel } from './trend-model.ts';

/** The corrections that apply to a part of the range, and a function that reads them again. */
export interface ShownCorrections {
	readonly corrections: readonly StoredCorrection[];
	readonly reload: () => void;
}

/** Reads the corrections of the shown range. After a failure, the corrections that were read before stay. */
export function useCorrections(model: TrendModel | null): ShownCorrections {
	const corrections = useMemo(createCorrections, []);
	const [shownStart, shownEnd] = [model?.bounds[0], model?.bounds.at(-1)];
	const range = shownStart === undefined || shownEnd === undefined ? null : wholeQuarters(shownStart, shownEnd);
	const reload = (): void => {
		if (range !== null) void corrections.read(range);
	};
	useEffect(reload, [range?.start, range?.end]);
	return { corrections: corrections.rows.value, reload };
}

const quarterMs = 15 * minuteMs;

/**
 * Returns the quarters of an hour that a range touches. A shown range that follows the present time moves with each poll. Its quarters
 * change only every quarter of an hour, and then its corrections are read again.
 */
export function wholeQuarters(start: number, end: number): TimeSpan {
	return { start: Math.floor(start / quarterMs) * quarterMs, end: (Math.floor(end / quarterMs) + 1) * quarterMs };
}

/** Corrections that are read range by range. A late answer for an earlier range is dropped. */
export interface RangeCorrections {
	readonly rows: ReadonlySignal<readonly StoredCorrection[]>;
	readonly read: (range: TimeSpan) => Promise<void>;
}

/** Creates an empty list of corrections. */
export function createCorrections(): RangeCorrections {
	const rows = signal<readonly StoredCorrection[]>([]);
	const beginRead = createReadCheck();
	return {
		rows,
		read: async ({ start, end }) => {
			const isNewest = beginRead();
			const result = await resultOf(
				api.GET('/getCorrections', { params: { query: { start: String(start), end: String(end) } } }),
			);
			if (result.ok && isNewest()) rows.value = result.data.data;
		},
	};
}
