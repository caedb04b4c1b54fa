import { variables } from '#page/core/definitions.ts';
import { type DraftField, type DraftVersions, fieldOf, listFields } from '#page/core/draft-fields.ts';
import { createItemVersions } from '#page/core/item-versions.ts';
import { formatExact } from '#page/format/number.ts';
import { commonText } from '#page/i18n/common.ts';
import { bindingWords } from '#page/parts/binding-words.ts';
import { type LineDraft, lineBodyOf } from './line-draft.ts';
import { type ReportDraft, reportDraftOf } from './report-draft.ts';
import { reportRequests } from './report-requests.ts';
import { reportText } from './report-texts.ts';

/** Compares and saves versions of reports. */
export const versions = createItemVersions<ReportDraft>({
	draftOf: ({ content, version }) => reportDraftOf({ ...content, version }),
	fieldsOf: reportVersionFields,
	requests: reportRequests,
});

/** Returns the fields by which two versions are compared. Lines are compared by their keys. */
function reportVersionFields(versions: DraftVersions<ReportDraft>): readonly DraftField<ReportDraft>[] {
	const text = reportText();
	return [
		fieldOf<ReportDraft>(['title'], commonText().title, ({ title }) => title),
		fieldOf<ReportDraft>(['timeZone'], commonText().timeZone, ({ timeZone }) => timeZone),
		fieldOf<ReportDraft>(['dayStart'], text.dayStart, ({ dayStart }) => dayStart),
		fieldOf<ReportDraft>(['send'], text.send, ({ send }) => (send ? text.sent : '')),
		...listFields<ReportDraft, LineDraft>(
			{
				key: 'lines',
				itemsOf: ({ lines }) => lines,
				// Lines of two versions may have the same ids, so they are numbered anew.
				withItems: (report, lines) => ({ ...report, lines: lines.map((line, index) => ({ ...line, id: index + 1 })) }),
				nameOf: ({ key }) => key,
				labelOf: ({ name }) => name,
				textOf: (line) => `${line.name}: ${lineWords(line)}`,
				order: { label: text.order, textOf: ({ key }) => key },
			},
			versions,
		),
	];
}

/** Returns in words what a line counts: `Sum over time · Distribution flow · h · m³`. */
function lineWords(line: LineDraft): string {
	const text = reportText();
	// Only the fields that a save would store are compared.
	const { varId, bit, per, equation, between, range, holdSeconds, counter, above, severity, decimals, group } = lineBodyOf(line);
	const numbers = (values: readonly (number | null)[]): string =>
		values.map((value) => (value === null ? '' : formatExact(value))).join(' – ');
	const words: readonly (string | null)[] = [
		text.functions[line.function],
		varId === null ? null : bindingWords({ varId, bit }, variables.rows.value),
		equation === null ? null : line.formula.trim(),
		per,
		above === null ? null : `> ${formatExact(above)}`,
		range === null ? null : numbers(range),
		between?.join(' – ') ?? null,
		holdSeconds === null ? null : `${holdSeconds} s`,
		counter === null ? null : `${text.size} ${numbers([counter.size])}, ${text.dip} ${numbers([counter.dip])}`,
		severity,
		line.unit,
		decimals === null ? null : text.decimalsOf(decimals),
		group,
	];
	return words.filter((word) => word !== null && word !== '').join(' · ');
}
