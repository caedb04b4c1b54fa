import { formatNumber } from '#page/format/number.ts';
import { formatDate } from '#page/format/time.ts';
import { commonText } from '#page/i18n/common.ts';
import { DataTable } from '#page/parts/data-table.tsx';
import { ValueText } from '#page/parts/value-text.tsx';
import { correctionText } from './correction-texts.ts';
import { assumedHoldOf, type TriedCorrection } from './try-correction.ts';

/** The decimals of the numbers of days. */
const decimals = 2;

/** Shows for each day of a correction the number without the correction and the number with it. */
export function TriedDays({ tried: { correction, days }, unit }: { readonly tried: TriedCorrection; readonly unit: string }) {
	const text = correctionText();
	if (days.length === 0) return <p class="muted">{text.noDays}</p>;
	const number = (value: number | null) => (
		<ValueText text={value === null ? null : formatNumber(value, { decimals })} unit={unit} current size="cell" />
	);
	return (
		<>
			{assumedHoldOf(correction.varId) !== undefined && <p class="muted">{text.holdAssumed}</p>}
			<DataTable
				caption={text.days}
				columns={[
					{ key: 'day', head: commonText().lengths.day, isRowHead: true, cell: ({ start }) => formatDate(start) },
					{ key: 'before', head: text.before, look: 'end', cell: ({ before }) => number(before.value) },
					{ key: 'after', head: text.after, look: 'end', cell: ({ after }) => number(after.value) },
				]}
				rows={days}
				keyOf={({ start }) => start}
			/>
		</>
	);
}
