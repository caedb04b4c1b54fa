import { rateUnitNames } from '#domain/board/line.ts';
import { renameReference } from '#domain/equation/formula-text.ts';
import type { Variable } from '#page/core/definitions.ts';
import { withMoved } from '#page/core/moved-item.ts';
import { type LineDraft, newLineDraft } from '#page/reports/line-draft.ts';
import type { ReportDraft } from '#page/reports/report-draft.ts';

/** Returns the draft with a new line after the line `after`, in the same group. Without such a line, it is added at the end. */
export function withNewLine(draft: ReportDraft, after: number | null): readonly [ReportDraft, LineDraft] {
	const { lines } = draft;
	const place = lines.findIndex(({ id }) => id === after);
	const end = place < 0 ? lines.length : place + 1;
	const line = { ...newLineDraft, id: Math.max(0, ...lines.map(({ id }) => id)) + 1, group: lines[end - 1]?.group ?? '' };
	return [{ ...draft, lines: lines.toSpliced(end, 0, line) }, line];
}

/** Returns the draft with a changed line. If the key changes, the formulas of later lines use the new key, too. */
export function withLine(draft: ReportDraft, id: number, part: Partial<Omit<LineDraft, 'id'>>): ReportDraft {
	const at = draft.lines.findIndex((line) => line.id === id);
	const before = draft.lines[at];
	if (before === undefined) return draft;
	const line = { ...before, ...part };
	const isRenamed = line.key !== before.key && before.key !== '' && line.key !== '' && !hasKey(draft, before);
	const lines = draft.lines.map((each, index) => {
		if (index === at) return line;
		const formula = isRenamed && index > at ? renameReference(each.formula, before.key, line.key) : each.formula;
		return formula === each.formula ? each : { ...each, formula };
	});
	return { ...draft, lines };
}

/** Returns the draft without a line. */
export function withoutLine(draft: ReportDraft, id: number): ReportDraft {
	return { ...draft, lines: draft.lines.filter((line) => line.id !== id) };
}

/** Returns the draft with a line moved by `step` places. At an end of the list, it returns the same draft. */
export function withLineMoved(draft: ReportDraft, id: number, step: -1 | 1): ReportDraft {
	const lines = withMoved(
		draft.lines,
		draft.lines.findIndex((line) => line.id === id),
		step,
	);
	return lines === draft.lines ? draft : { ...draft, lines };
}

/**
 * Returns the changes to a line that gets a new name. The key of a line that is not stored follows its name, so that formulas are easy to
 * read.
 * @param storedKeys the keys of the lines that are stored
 */
export function namedLine(
	draft: ReportDraft,
	line: LineDraft,
	name: string,
	storedKeys: ReadonlySet<string>,
): Partial<LineDraft> {
	const others = new Set(draft.lines.flatMap(({ id, key }) => (id === line.id ? [] : key)));
	const follows = !storedKeys.has(line.key) && (line.key === '' || line.key === freeKey(line.name, others));
	return follows ? { name, key: freeKey(name, others) } : { name };
}

/** Returns the changes to a line that gets another variable. Its name and its unit are filled in unless the person has typed them. */
export function boundLine(
	draft: ReportDraft,
	line: LineDraft,
	binding: Pick<LineDraft, 'varId' | 'bit'>,
	known: ReadonlyMap<number, Variable> | undefined,
	storedKeys: ReadonlySet<string>,
): Partial<LineDraft> {
	const next = { ...line, ...binding };
	const variable = binding.varId === null ? undefined : known?.get(binding.varId);
	const name = line.name.trim() === '' && variable !== undefined ? namedLine(draft, line, variable.name, storedKeys) : {};
	return { ...binding, ...name, ...unitFor(line, next, known) };
}

/** Returns the changes to a line that gets another function. */
export function countingLine(
	line: LineDraft,
	counted: LineDraft['function'],
	known: ReadonlyMap<number, Variable> | undefined,
): Partial<LineDraft> {
	const decimals =
		line.decimals === null && isCount(counted) ? 0 : line.decimals === 0 && isCount(line.function) ? null : line.decimals;
	return { function: counted, decimals, ...unitFor(line, { ...line, function: counted }, known) };
}

/** A rate with its unit of time, and the unit of its sum. */
export interface RateOffer {
	readonly unit: string;
	readonly per: (typeof rateUnitNames)[number];
	readonly sum: string;
}

/**
 * Returns the rate that the unit of a line's variable suggests: m³/h is a rate per hour, whose sum is in m³. The form offers it, but
 * never applies it by itself.
 */
export function rateOffer(line: LineDraft, known: ReadonlyMap<number, Variable> | undefined): RateOffer | null {
	const unit = line.varId === null ? undefined : known?.get(line.varId)?.unit;
	if (line.function !== 'total' || unit === undefined) return null;
	const offer = powerUnit.test(unit) ? { unit, per: 'h' as const, sum: `${unit}h` } : flowOffer(unit);
	return offer === null || (line.per === offer.per && line.unit === offer.sum) ? null : offer;
}

const powerUnit = /^[kMG]?(?:W|VA|VAr|var)$/;

function flowOffer(unit: string): RateOffer | null {
	const [, sum = '', time = ''] = /^(.+)\/(\w+)$/.exec(unit) ?? [];
	const per = rateUnitNames.find((each) => each === time);
	return per === undefined ? null : { unit, per, sum };
}

/** Returns the unit that follows from the other fields of a line; undefined if the person must type it. */
function certainUnit({ function: counted, varId, bit }: LineDraft, known: ReadonlyMap<number, Variable> | undefined) {
	if (counted === 'onTime') return 'h';
	if (isCount(counted)) return '';
	if (counted === 'total' || counted === 'formula' || varId === null || bit !== null) return undefined;
	return known?.get(varId)?.unit;
}

/** Returns the unit of a changed line. A unit that the person has typed is kept. */
function unitFor(before: LineDraft, after: LineDraft, known: ReadonlyMap<number, Variable> | undefined): Partial<LineDraft> {
	const isOwn = before.unit !== '' && before.unit !== certainUnit(before, known);
	return isOwn ? {} : { unit: certainUnit(after, known) ?? '' };
}

function isCount(counted: LineDraft['function']): boolean {
	return counted === 'starts' || counted === 'raised';
}

/** Returns a key that is made from the name and that no other line has. */
function freeKey(name: string, taken: ReadonlySet<string>): string {
	const wanted = name.trim();
	let key = wanted;
	for (let count = 2; wanted !== '' && taken.has(key); count += 1) key = `${wanted} ${count}`;
	return key;
}

function hasKey({ lines }: ReportDraft, { id, key }: LineDraft): boolean {
	return lines.some((each) => each.id !== id && each.key === key);
}
