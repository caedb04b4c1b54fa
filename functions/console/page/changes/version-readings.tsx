import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { Schemas } from '#page/core/api.ts';
import { decimalsOf } from '#page/core/decimals.ts';
import { variables } from '#page/core/definitions.ts';
import type { ItemVersion, ItemVersions } from '#page/core/item-versions.ts';
import { readingOf, useReadings } from '#page/core/readings.ts';
import { sessionCheck } from '#page/core/session.ts';
import { shownOf } from '#page/core/shown.ts';
import { commonText } from '#page/i18n/common.ts';
import { ShownQuality, ShownValue } from '#page/parts/shown-cells.tsx';
import { changeText } from './change-texts.ts';

/** A version of a variable whose value is tried, with the words above the value. */
export interface TriedVersion {
	readonly head: string;
	readonly version: ItemVersion;
}

interface VersionReadingsProps {
	readonly id: number;
	/** Tried once, when this is first drawn. Others need another key. */
	readonly tried: readonly TriedVersion[];
	readonly versions: ItemVersions;
}

/**
 * Shows the value that each version of a variable would have now, beside the current value. Past values are not stored. Nothing is drawn
 * when no version can be tried, for example of a deleted variable.
 */
export function VersionReadings({ id, tried, versions }: VersionReadingsProps) {
	const text = changeText();
	const readings = useSignal<readonly (Schemas['Reading'] | null)[] | null>(null);
	useReadings(variables.rows.value?.has(id) === true ? [id] : []);
	useEffect(() => {
		const isSameSession = sessionCheck();
		let isWanted = true;
		// `tryOut` never rejects.
		void Promise.all(tried.map(({ version }) => versions.tryOut(version))).then((found) => {
			if (isWanted && isSameSession()) readings.value = found;
		});
		return () => {
			isWanted = false;
		};
	}, []);
	if (readings.value === null) return <p class="muted">{text.trying}</p>;
	const sides = tried.map(({ head }, index) => ({ head, reading: readings.value?.[index] ?? null, isFresh: false }));
	if (sides.every(({ reading }) => reading === null)) return null;
	const now = variables.rows.value?.has(id) === true ? (readingOf(id).value ?? null) : null;
	return (
		<>
			<dl class="columns version-readings">
				{[...sides, { head: commonText().now, reading: now, isFresh: true }].map(({ head, reading, isFresh }) =>
					reading === null ? null : (
						<div key={head}>
							<dt>{head}</dt>
							<dd>
								<ReadingOf reading={reading} isFresh={isFresh} />
							</dd>
						</div>
					),
				)}
			</dl>
			<p class="muted">{text.triedNow}</p>
		</>
	);
}

/** A value with its quality. `isFresh`: polls renew it, so it is shown as current. */
function ReadingOf({ reading, isFresh }: { readonly reading: Schemas['Reading']; readonly isFresh: boolean }) {
	const shown = shownOf(reading);
	// Versions may have other units, so the decimals of the variable do not suit them.
	return (
		<>
			<ShownValue
				shown={shown}
				kind={shown.bits.length > 0 ? 'byte' : 'simple'}
				decimals={decimalsOf([shown.value])}
				isFresh={isFresh}
			/>{' '}
			<ShownQuality shown={shown} ownName={null} />
		</>
	);
}
