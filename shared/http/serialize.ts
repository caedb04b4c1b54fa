import * as v from 'valibot';
import { type ShownActor, type StoredActor, shownActor, storedActorSchema } from '#domain/access/actor.ts';
import type { Machine } from '#domain/access/machine.ts';
import type { BoardKind } from '#domain/board/board-kinds.ts';
import { isoTime } from '#domain/calendar/iso-time.ts';
import type { History, HistoryColumn, VariableHistory } from '#domain/history/history.ts';
import type { PanelItem } from '#domain/panel/panel.ts';
import type { Person } from '#domain/ports/people.ts';
import type { BoardRow, PanelRow, VariableRow } from '#domain/ports/schema-store.ts';
import { reasonMessages } from '#domain/reading/quality.ts';
import type { Reading } from '#domain/reading/reading.ts';
import type { ItemState } from '#domain/use-cases/get-panel.ts';
import { toJson } from '#domain/variable/variable.ts';

/** Returns the JSON form of a variable (shared/domain/variable/README.md#fields). */
export function variableToJson({ variable, version, unread }: VariableRow) {
	return { ...toJson(variable), version, ...rowFaultOf(unread !== undefined) };
}

/** Returns the field that tells of a row that cannot be read; none for any other row. */
export function rowFaultOf(isUnread: boolean): {
	readonly fault?: { readonly code: 'stored_row_invalid'; readonly message: string };
} {
	return isUnread ? { fault: { code: 'stored_row_invalid', message: reasonMessages.stored_row_invalid } } : {};
}

/** Returns the JSON form of a reading (shared/domain/reading/README.md#fields); times are ISO-8601 in UTC. */
export function readingToJson(reading: Reading) {
	const { id, name, unit, type, quality, content, bits, inputTimes, reason } = reading;
	return {
		id,
		kind: kindOf(reading),
		name,
		unit,
		type,
		quality,
		...(content.type === 'last'
			? { value: content.value, time: isoOrNull(content.time) }
			: { series: content.series.map(([time, value]) => [isoTime(time), value] as const) }),
		...(bits === null ? {} : { bits }),
		...(inputTimes === null ? {} : { oldestInputAt: isoOrNull(inputTimes.oldest), newestInputAt: isoOrNull(inputTimes.newest) }),
		...(reason === null ? {} : { reason }),
	};
}

const readingKinds = {
	last: { plain: 'newest', bits: 'bits', calculated: 'calculated' },
	history: { plain: 'history', bits: 'bits_history', calculated: 'calculated_history' },
} as const;

/** Which fields the JSON form of a reading has. */
function kindOf({ type, bits, inputTimes }: Reading) {
	if (type === null) return 'missing' as const;
	return readingKinds[type][bits !== null ? 'bits' : inputTimes !== null ? 'calculated' : 'plain'];
}

/** Returns the JSON form of a panel as it is stored (shared/domain/panel/README.md#fields). */
export function panelToJson({ panel, version, unread }: PanelRow) {
	return { ...panel, version, ...rowFaultOf(unread !== undefined) };
}

/**
 * Returns the JSON form of a panel with the current state of each item. `unit` is always null: the value is a state. `getPanel` returns a
 * state for every item. An item without one would count as one whose variable is missing.
 */
export function shownPanelToJson(row: PanelRow, states: ReadonlyMap<PanelItem, ItemState>) {
	const { panel } = row;
	const withState = <Item extends PanelItem>(item: Item) => {
		const { value = null, quality = 'missing_reference' } = states.get(item) ?? {};
		return { ...item, value, unit: null, quality };
	};
	return { ...panelToJson(row), pumps: panel.pumps.map(withState), states: panel.states.map(withState) };
}

/** Returns the JSON form of a board of any kind as it is stored (shared/domain/board/README.md#fields). */
export function boardToJson<Kind extends BoardKind>({
	board,
	version,
	unread,
}: Pick<BoardRow<Kind>, 'board' | 'version' | 'unread'>) {
	return { ...contentToJson(board.content), version, ...rowFaultOf(unread !== undefined) };
}

const signedSchema = v.object({ author: storedActorSchema });

/** Returns the JSON form of the content of an item: that of a correction tells who its author is. */
export function contentToJson<Content extends object>(content: Content): SignedJson<Content>;
export function contentToJson(content: object): object {
	const signed = v.safeParse(signedSchema, content);
	return signed.success ? { ...content, ...actorsToJson(signed.output) } : content;
}

/** Content of any kind has fields that no type names. */
type SignedJson<Content> = string extends keyof Content
	? Content
	: Content extends { readonly author?: StoredActor | undefined }
		? Omit<Content, 'author'> & Partial<NamedActors<'author'>>
		: Content;

/**
 * Returns who did something, by the names of fields: each name as text, as clients of earlier releases read it, and in `actors` the same
 * with its kind and id (shared/domain/access/README.md#actors).
 */
export function actorsToJson<Field extends string>(actors: Readonly<Record<Field, StoredActor | null>>): NamedActors<Field>;
export function actorsToJson(actors: Readonly<Record<string, StoredActor | null>>): object {
	const shown = Object.entries(actors).map(([field, actor]) => [field, actor === null ? null : shownActor(actor)] as const);
	return {
		...Object.fromEntries(shown.map(([field, actor]) => [field, actor?.name ?? null])),
		actors: Object.fromEntries(shown),
	};
}

type NamedActors<Field extends string> = { readonly [Name in Field]: string | null } & {
	readonly actors: { readonly [Name in Field]: ShownActor | null };
};

/** Returns the JSON form of a person (shared/domain/access/README.md#people). */
export function personToJson({ email, role, lastSignInAt, openId }: Person) {
	const { name, provider, granted } = openId ?? { name: null, provider: null, granted: null };
	return { email, name, provider, role, granted, lastSignInAt: isoOrNull(lastSignInAt) };
}

/** Returns the JSON form of a machine (shared/domain/access/README.md#machines), without secrets and their hashes. */
export function machineToJson(machine: Machine) {
	const { clientId, name, role, database, expiresAt, createdBy, createdAt, lastUsedAt, secrets, version } = machine;
	return {
		clientId,
		name,
		role,
		database,
		expiresAt: isoTime(expiresAt),
		createdBy,
		createdAt: isoTime(createdAt),
		lastUsedAt: isoOrNull(lastUsedAt),
		secrets: secrets.map(({ id, createdAt }) => ({ id, createdAt: isoTime(createdAt) })),
		version,
	};
}

/** Returns a time (epoch milliseconds) as ISO-8601 in UTC; null stays null. */
export function isoOrNull(time: number | null): string | null {
	return time === null ? null : isoTime(time);
}

/** Returns the JSON form of histories (shared/domain/history/README.md#answer); times are epoch milliseconds. */
export function historyToJson({ variables, ...windows }: History) {
	return { ...windows, variables: variables.map(variableHistoryToJson) };
}

/**
 * Returns the JSON form of the history of a draft (`after`) and that of the stored variable (`before`).
 * The variables of the argument are the draft and then the stored variable, if there is one.
 */
export function draftHistoryToJson({ variables, ...windows }: History) {
	const [after, before = null] = variables.map(variableHistoryToJson);
	if (after === undefined) throw new RangeError('There is no draft.');
	return { ...windows, before, after };
}

function variableHistoryToJson(history: VariableHistory) {
	const { id, name, unit, quality, reason, period, aggregate, columns, unavailable } = history;
	const faults = faultsOf([...columns.values()]);
	return {
		id,
		name,
		unit,
		quality,
		...(reason === null ? {} : { reason }),
		period,
		aggregate,
		values: Object.fromEntries([...columns].map(([name, { values }]) => [name, values])),
		...(faults.length === 0 ? {} : { faults: Object.fromEntries(faults) }),
		...(unavailable.length === 0 ? {} : { unavailable }),
	};
}

/** Returns the windows without a value by the code of their fault, each window once, in ascending order. */
function faultsOf(columns: readonly HistoryColumn[]): readonly (readonly [code: string, windows: readonly number[]])[] {
	const faults = columns.flatMap((column) => [...column.faults].map(([window, code]) => ({ window, code })));
	return [...Map.groupBy(faults, ({ code }) => code)].map(([code, found]) => [
		code,
		[...new Set(found.map(({ window }) => window))].sort((a, b) => a - b),
	]);
}
