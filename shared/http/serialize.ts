import * as v from 'valibot';
import { type StoredActor, shownActor, storedActorSchema } from '#domain/access/actor.ts';
import type { Machine } from '#domain/access/machine.ts';
import { isoTime } from '#domain/calendar/iso-time.ts';
import type { History, HistoryColumn, VariableHistory } from '#domain/history/history.ts';
import type { PanelItem } from '#domain/panel/panel.ts';
import type { Person } from '#domain/ports/people.ts';
import type { BoardRow, PanelRow, VariableRow } from '#domain/ports/schema-store.ts';
import type { Reading } from '#domain/reading/reading.ts';
import type { ItemState } from '#domain/use-cases/get-panel.ts';
import { toJson } from '#domain/variable/variable.ts';

/** Returns the JSON form of a variable (shared/domain/variable/README.md#fields). */
export function variableToJson({ variable, version }: VariableRow): Record<string, unknown> {
	return { ...toJson(variable), version };
}

/** Returns the JSON form of a reading (shared/domain/reading/README.md#fields); times are ISO-8601 in UTC. */
export function readingToJson(reading: Reading): Record<string, unknown> {
	const { id, name, unit, type, quality, content, bits, inputTimes, reason } = reading;
	return {
		id,
		name,
		unit,
		type,
		quality,
		...(content.type === 'last'
			? { value: content.value, time: isoOrNull(content.time) }
			: { series: content.series.map(([time, value]) => [isoOrNull(time), value]) }),
		...(bits === null ? {} : { bits }),
		...(inputTimes === null ? {} : { oldestInputAt: isoOrNull(inputTimes.oldest), newestInputAt: isoOrNull(inputTimes.newest) }),
		...(reason === null ? {} : { reason }),
	};
}

/**
 * Returns the JSON form of a panel (shared/domain/panel/README.md#fields).
 * @param stateOf returns further fields of an item, such as its current state
 */
export function panelToJson(
	{ panel, version }: PanelRow,
	stateOf: (item: PanelItem) => Record<string, unknown> = () => ({}),
): Record<string, unknown> {
	const withState = (item: PanelItem) => ({ ...item, ...stateOf(item) });
	return { title: panel.title, pumps: panel.pumps.map(withState), states: panel.states.map(withState), version };
}

/**
 * Returns the JSON form of the current state of a panel item. `unit` is always null: the value is a state. `getPanel` returns a state for
 * every item. An item without one would count as one whose variable is missing.
 */
export function itemStateToJson(state: ItemState | undefined): Record<string, unknown> {
	return { value: state?.value ?? null, unit: null, quality: state?.quality ?? 'missing_reference' };
}

/** Returns the JSON form of a board of any kind as it is stored (shared/domain/board/README.md#fields). */
export function boardToJson({ board, version }: BoardRow): Record<string, unknown> {
	return { ...contentToJson(board.content), version };
}

const signedSchema = v.object({ author: storedActorSchema });

/** Returns the JSON form of the content of an item: that of a correction tells who its author is. */
export function contentToJson<Content>(content: Content): Content | (Content & Record<string, unknown>) {
	const signed = v.safeParse(signedSchema, content);
	return signed.success ? { ...content, ...actorsToJson(signed.output) } : content;
}

/**
 * Returns who did something, by the names of fields: each name as text, as clients of earlier releases read it, and in `actors` the same
 * with its kind and id (shared/domain/access/README.md#actors).
 */
export function actorsToJson(actors: Readonly<Record<string, StoredActor | null>>): Record<string, unknown> {
	const shown = Object.entries(actors).map(([field, actor]) => [field, actor === null ? null : shownActor(actor)] as const);
	return {
		...Object.fromEntries(shown.map(([field, actor]) => [field, actor?.name ?? null])),
		actors: Object.fromEntries(shown),
	};
}

/** Returns the JSON form of a person (shared/domain/access/README.md#people). */
export function personToJson({ email, role, lastSignInAt }: Person): Record<string, unknown> {
	return { email, role, lastSignInAt: isoOrNull(lastSignInAt) };
}

/** Returns the JSON form of a machine (shared/domain/access/README.md#machines), without secrets and their hashes. */
export function machineToJson(machine: Machine): Record<string, unknown> {
	const { clientId, name, role, database, expiresAt, createdBy, createdAt, lastUsedAt, secrets, version } = machine;
	return {
		clientId,
		name,
		role,
		database,
		expiresAt: isoOrNull(expiresAt),
		createdBy,
		createdAt: isoOrNull(createdAt),
		lastUsedAt: isoOrNull(lastUsedAt),
		secrets: secrets.map(({ id, createdAt }) => ({ id, createdAt: isoOrNull(createdAt) })),
		version,
	};
}

/** Returns a time (epoch milliseconds) as ISO-8601 in UTC; null stays null. */
export function isoOrNull(time: number | null): string | null {
	return time === null ? null : isoTime(time);
}

/** Returns the JSON form of histories (shared/domain/history/README.md#answer); times are epoch milliseconds. */
export function historyToJson({ variables, ...windows }: History): Record<string, unknown> {
	return { ...windows, variables: variables.map(variableHistoryToJson) };
}

/**
 * Returns the JSON form of the history of a draft (`after`) and that of the stored variable (`before`).
 * The variables of the argument are the draft and then the stored variable, if there is one.
 */
export function draftHistoryToJson({ variables, ...windows }: History): Record<string, unknown> {
	const [after = null, before = null] = variables.map(variableHistoryToJson);
	return { ...windows, before, after };
}

function variableHistoryToJson(history: VariableHistory): Record<string, unknown> {
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
