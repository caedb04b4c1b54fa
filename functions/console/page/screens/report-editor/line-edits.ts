import { rateUnitNames } from '#domain/board/line.ts';
import { renameReference } from '#domain/equation/formula-text.ts';
import type { Variable } from '#page/core/definitions.ts';
import { withMoved } from '#page/core/moved-item.ts';
import { type LineDraft, newLineDraft } from '#page/reports/line-draft.ts';
import type { ReportDraft } from '#page/reports/report-draft.ts';

/** Returns the draft with a new line after the line `after`, in the same group. Without such a line, it is added at the end. */
export function withNewLine(draft: ReportDraft, after: number | null): readonly [ReportDraft, LineDraft] {
	const { lines } = draft;
	const indexBefore = lines.findIndex(({ id }) => id === after);
	const index = indexBefore < 0 ? lines.length : indexBefore + 1;
	const id = Math.max(0, ...lines.map((each) => each.id)) + 1;
	const line = { ...newLineDraft, id, group: lines[index - 1]?.group ?? '' };
	return [{ ...draft, lines: lines.toSpliced(index, 0, line) }, line];
}

/** Returns the draft with a changed line. If the key changes, the formulas of later lines use the new key, too. */
export function withLine(draft: ReportDraft, id: number, part: Partial<Omit<LineDraft, 'id'>>): ReportDraft {
	const changedIndex = draft.lines.findIndex((line) => line.id === id);
	const before = draft.lines[changedIndex];
	if (before === undefined) return draft;
	const line = { ...before, ...part };
	// Formulas that use a key of two lines are left alone, because nobody knows which one they mean.
	const isRenamed = line.key !== before.key && before.key !== '' && line.key !== '' && !isKeyOfOther(draft, before);
	const lines = draft.lines.map((each, index) => {
		if (index === changedIndex) return line;
		const formula = isRenamed && index > changedIndex ? renameReference(each.formula, before.key, line.key) : each.formula;
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
	const index = draft.lines.findIndex((line) => line.id === id);
	const lines = withMoved(draft.lines, index, step);
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
	const takenKeys = new Set(draft.lines.filter(({ id }) => id !== line.id).map(({ key }) => key));
	const isTyped = line.key !== '' && line.key !== freeKey(line.name, takenKeys);
	return storedKeys.has(line.key) || isTyped ? { name } : { name, key: freeKey(name, takenKeys) };
}

/** Returns the changes to a line that gets another variable. Its name and its unit are filled in unless the person has typed them. */
export function boundLine(
	draft: ReportDraft,
	line: LineDraft,
	binding: Pick<LineDraft, 'varId' | 'bit'>,
	{ variables, storedKeys }: { readonly variables: Variables; readonly storedKeys: ReadonlySet<string> },
): Partial<LineDraft> {
	const variable = binding.varId === null ? undefined : variables?.get(binding.varId);
	const isNameless = line.name.trim() === '';
	const name = isNameless && variable !== undefined ? namedLine(draft, line, variable.name, storedKeys) : {};
	return { ...binding, ...name, ...unitFor(line, { ...line, ...binding }, variables) };
}

/** The variables by id; undefined until they were read. */
type Variables = ReadonlyMap<number, Variable> | undefined;

/** Returns the changes to a line that gets another function. */
export function countingLine(line: LineDraft, next: LineDraft['function'], variables: Variables): Partial<LineDraft> {
	return { function: next, decimals: decimalsFor(line, next), ...unitFor(line, { ...line, function: next }, variables) };
}

/**
 * Returns the decimals of a line that gets another function; null for the usual ones. A count without chosen decimals gets 0. When the
 * function is no longer a count, a 0 becomes null again.
 */
function decimalsFor({ decimals, function: before }: LineDraft, next: LineDraft['function']): LineDraft['decimals'] {
	if (decimals === null && isCount(next)) return 0;
	return decimals === 0 && isCount(before) && !isCount(next) ? null : decimals;
}

/** A rate that a line may count. */
export interface RateOffer {
	/** The unit of the rate, which is that of the variable: `m³/h`. */
	readonly unit: string;
	/** The unit of time of the rate: `h`. */
	readonly per: (typeof rateUnitNames)[number];
	/** The unit of its sum: `m³`. */
	readonly sum: string;
}

/**
 * Returns the rate that the unit of a line's variable suggests: m³/h is a rate per hour, whose sum is in m³. The form offers it, but
 * never applies it by itself.
 */
export function rateOffer(line: LineDraft, variables: Variables): RateOffer | null {
	const unit = line.varId === null ? undefined : variables?.get(line.varId)?.unit;
	if (line.function !== 'total' || unit === undefined) return null;
	const offer = powerUnit.test(unit) ? { unit, per: 'h' as const, sum: `${unit}h` } : flowOffer(unit);
	return offer === null || (line.per === offer.per && line.unit === offer.sum) ? null : offer;
}

/** A unit of power, whose sum over hours is an energy: `kW`, `MVA`, `kvar`. */
const powerUnit = /^[kMG]?(?:W|VA|VAr|var)$/;

/** How people write the time units of a rate, in both languages. */
const timeWords = { s: /^(s|se[cg])$/, min: /^min$/, h: /^(h|hr|hour|hora)$/i, d: /^(d|day|d[ií]a)$/i } as const;

/** Offers the rate of a unit that is a quantity per time: `m³/h`, `l/seg`. */
function flowOffer(unit: string): RateOffer | null {
	const [, sum = '', time = ''] = /^(.+?) ?\/ ?([^\s/]+)$/.exec(unit) ?? [];
	const per = rateUnitNames.find((each) => timeWords[each].test(time));
	return per === undefined ? null : { unit, per, sum };
}

/** Returns the unit that follows from the other fields of a line; undefined if the person must type it. */
function certainUnit({ function: lineFunction, varId, bit }: LineDraft, variables: Variables) {
	if (lineFunction === 'onTime' || lineFunction === 'longest') return 'h';
	if (lineFunction === 'within') return '%';
	if (isCount(lineFunction)) return '';
	if (lineFunction === 'total' || lineFunction === 'formula' || varId === null || bit !== null) return undefined;
	return variables?.get(varId)?.unit;
}

/** Returns the unit of a changed line. A unit that the person has typed is kept. */
function unitFor(before: LineDraft, after: LineDraft, variables: Variables): Partial<LineDraft> {
	const isTyped = before.unit !== '' && before.unit !== certainUnit(before, variables);
	return isTyped ? {} : { unit: certainUnit(after, variables) ?? '' };
}

function isCount(lineFunction: LineDraft['function']): boolean {
	return ['starts', 'raised', 'readings', 'excursions'].includes(lineFunction);
}

/** Returns a key that is made from the name and that no other line has: `Flow`, or `Flow 2`. It is empty without a name. */
function freeKey(name: string, taken: ReadonlySet<string>): string {
	const wanted = name.trim();
	let key = wanted;
	for (let count = 2; wanted !== '' && taken.has(key); count += 1) key = `${wanted} ${count}`;
	return key;
}

/** Whether another line has the key of a line. */
function isKeyOfOther({ lines }: ReportDraft, { id, key }: LineDraft): boolean {
	return lines.some((each) => each.id !== id && each.key === key);
}
