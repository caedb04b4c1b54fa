import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { api, resultOf } from '#page/core/api.ts';
import type { StoredCorrection } from '#page/core/definitions.ts';
import type { TrendModel } from './trend-model.ts';

/** The corrections that apply to a part of the range, and a function that reads them again. */
export interface ShownCorrections {
	readonly corrections: readonly StoredCorrection[];
	readonly reload: () => void;
}

/** Reads the corrections of the shown range. After a failure, the corrections that were read before stay. */
export function useCorrections(model: TrendModel | null): ShownCorrections {
	const corrections = useSignal<readonly StoredCorrection[]>([]);
	const [start, end] = [model?.bounds[0], model?.bounds.at(-1)];
	/** A range that follows the present time moves with each poll. Its corrections are read again only every quarter of an hour. */
	const quarter = end === undefined ? null : Math.floor(end / 900_000);
	const length = start === undefined || end === undefined ? null : Math.round((end - start) / 1000);
	const load = async (): Promise<void> => {
		if (start === undefined || end === undefined) return;
		const query = { start: String(Math.round(start)), end: String(Math.round(end) + 900_000) };
		const result = await resultOf(api.GET('/getCorrections', { params: { query } }));
		if (result.ok) corrections.value = result.data.data;
	};
	useEffect(() => void load(), [quarter, length]);
	return { corrections: corrections.value, reload: () => void load() };
}
