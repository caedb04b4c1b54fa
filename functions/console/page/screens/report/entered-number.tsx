import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { dateOfDay } from '#domain/calendar/days.ts';
import { api, type Result, resultOf, type Schemas } from '#page/core/api.ts';
import { withUnit } from '#page/format/condition.ts';
import { formatExact } from '#page/format/number.ts';
import { actorWords } from '#page/i18n/actor-words.ts';
import { commonText } from '#page/i18n/common.ts';
import { Button } from '#page/parts/button.tsx';
import { Problems } from '#page/parts/problems.tsx';
import { EntryForm } from './entry-form.tsx';
import { entryText } from './entry-texts.ts';
import type { CountedNumber } from './report-cells.ts';
import type { ReportColumn, ReportModel } from './report-model.ts';

interface EnteredNumberProps {
	readonly model: ReportModel;
	readonly column: ReportColumn;
	/** The whole days that the number is about, epoch milliseconds. */
	readonly span: { readonly start: number; readonly end: number };
	/** The number that the report has there. */
	readonly counted: CountedNumber;
	/** Whether the days are sealed, so that their numbers stay until they are sealed anew. */
	readonly isSealed: boolean;
	/** Whether this person may enter the number of these days. */
	readonly isFillable: boolean;
	/** Called when a number was entered or deleted, with words about it. */
	readonly onChanged: (announcement: string) => void;
}

/** Who entered a number and why, and the form in which an engineer enters it. The entries are read when the component appears. */
export function EnteredNumber({ model, column, span, counted, isSealed, isFillable, onChanged }: EnteredNumberProps) {
	const text = entryText();
	const reportId = model.period.report.id;
	const { key } = column.line;
	const days = { from: dateOfDay(span.start, model.calendar), to: dateOfDay(span.end - 1, model.calendar) };
	const read = useSignal<Result<readonly Schemas['Entry'][]> | null>(null);
	const load = async (): Promise<void> => {
		const result = await resultOf(api.GET('/getEntries', { params: { query: { reportId: String(reportId) } } }));
		read.value = result.ok ? { ...result, data: result.data.data.filter((entry) => entry.key === key) } : result;
	};
	useEffect(() => void load(), []);
	if (read.value === null) return <p class="muted">{commonText().reading}</p>;
	if (!read.value.ok)
		return (
			<Problems
				failure={read.value.failure}
				fallback={text.unread}
				action={<Button onClick={() => void load()}>{commonText().again}</Button>}
			/>
		);
	const counting = column.line.entries ?? [];
	const told = read.value.data.filter(({ id, from, to }) => counting.includes(id) && from >= days.from && to <= days.to);
	// Of several about the same days, the newest counts.
	const stored = read.value.data.findLast(({ from, to }) => from === days.from && to === days.to) ?? null;
	// Sealed days keep the number that they were sealed with.
	const isOther = isSealed && (stored === null ? told.length === 0 && counted.value !== null : stored.value !== counted.value);
	return (
		<>
			{told.map((entry) => (
				<p key={entry.id} class="muted">
					{text.enteredBy(actorWords(entry.actors?.author ?? null))}{' '}
					{isOther && withUnit(formatExact(entry.value), column.line.unit)} {entry.reason}
				</p>
			))}
			{isOther && <p class="violet">{stored === null ? text.deletedSince : text.enteredSince}</p>}
			{isFillable && <EntryForm {...{ reportId, column, days, stored, isSealed, onChanged }} />}
		</>
	);
}
