import type { ReportLine } from '#domain/board/report.ts';
import type { ReadReport } from '#domain/report/assemble-report.ts';
import type { StoredDay } from '#domain/report/stored-day.ts';
import { sourcesOf } from '#domain/totals/line-state.ts';
import type { ReferenceNumber } from '#domain/totals/night-rise.ts';
import { actorsToJson, contentToJson, rowFaultOf } from './serialize.ts';
import { detailsOf, lineToJson, numberToJson } from './serialize-totals.ts';

/** Returns the JSON form of a report that was read (shared/domain/report/README.md#reading); times are epoch milliseconds. */
export function reportToJson({ report, lines, changed, unread, ...windows }: ReadReport) {
	const { id, title, timeZone, dayStart } = report;
	const heads = new Map(report.lines.map((line) => [line.key, line]));
	return {
		id,
		title,
		timeZone,
		dayStart,
		...rowFaultOf(unread !== undefined),
		...windows,
		lines: lines.flatMap((line) => {
			const head = heads.get(line.key);
			if (head === undefined) return [];
			const { reference, rise, raised, entries } = line;
			return [
				{
					...displayOf(head),
					...lineToJson(line),
					...referenceField(reference, head),
					...(rise === undefined ? {} : { rise }),
					...(raised === undefined ? {} : { raised }),
					...(entries === undefined ? {} : { entries }),
				},
			];
		}),
		changed: changed.map(({ from, to, ...day }) => ({ ...day, start: from, end: to })),
	};
}

/** Returns the JSON form of the reference of a line, with its nights. */
export function referenceToJson(
	{ value, low, high, spread, taken }: ReferenceNumber,
	{ from, nights }: NonNullable<ReportLine['reference']>,
) {
	return { from, nights, value, low, high, spread, taken };
}

/** Returns the reference of a line as a field of it, if it has one; null: it has no number. */
export function referenceField(number: ReferenceNumber | null | undefined, { reference }: Pick<ReportLine, 'reference'> = {}) {
	if (number === undefined || reference === undefined) return {};
	return { reference: number === null ? null : referenceToJson(number, reference) };
}

/** Returns the JSON form of a version of a day. */
export function reportDayToJson(day: StoredDay) {
	const { from, to, timeZone, dayStart, countedAt, lines, corrections } = day;
	return {
		...sealToJson(day),
		start: from,
		end: to,
		timeZone,
		dayStart,
		countedAt,
		lines: lines.map(({ line, value }) => ({
			key: line.key,
			...displayOf(line),
			...numberToJson(value, detailsOf([value])),
			...(value.fault === undefined ? {} : { fault: value.fault }),
			...(value.faultAt === undefined ? {} : { faultAt: value.faultAt }),
			...sourcesOf(value),
		})),
		corrections: corrections.map(contentToJson),
	};
}

/** Returns the JSON form of how a day is stored: its revision, and who sealed it when and why; nulls where it is provisional. */
export function sealToJson({ date, revision, seal }: StoredDay) {
	const { at = null, by = null, reason = null } = seal ?? {};
	return { date, revision, sealedAt: at, ...actorsToJson({ by }), reason };
}

/** Returns the fields that say how a line is shown. */
function displayOf({ name, unit, decimals, group }: ReportLine) {
	return { name, unit, ...(decimals === undefined ? {} : { decimals }), ...(group === undefined ? {} : { group }) };
}
