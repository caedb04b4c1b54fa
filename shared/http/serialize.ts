import type { PanelItem } from '#domain/panel/panel.ts';
import type { BoardRow, PanelRow, VariableRow } from '#domain/ports/schema-store.ts';
import type { Reading } from '#domain/reading/reading.ts';
import type { StoredAlarm } from '#domain/use-cases/list-alarms.ts';
import type { AlarmState } from '#domain/use-cases/read-alarms.ts';
import type { ItemState } from '#domain/use-cases/read-panel.ts';
import { toJson } from '#domain/variable/variable.ts';

/** A variable as listed and as answered to a save (design section 3). */
export function variableToJson({ variable, version }: VariableRow): Record<string, unknown> {
	return { ...toJson(variable), version };
}

/** A reading as answered; times are ISO-8601, UTC (design section 3). */
export function readingToJson({
	id,
	name,
	unit,
	type,
	quality,
	shown,
	bits,
	inputTimes,
	reason,
}: Reading): Record<string, unknown> {
	return {
		id,
		name,
		unit,
		type,
		quality,
		...(shown.type === 'last'
			? { value: shown.value, time: isoOrNull(shown.time) }
			: { series: shown.series.map(([time, value]) => [iso(time), value]) }),
		...(bits === null ? {} : { bits }),
		...(inputTimes === null ? {} : { oldestInputAt: isoOrNull(inputTimes.oldest), newestInputAt: isoOrNull(inputTimes.newest) }),
		...(reason === null ? {} : { reason }),
	};
}

/** A panel as stored (specification section 2.5). */
export function panelToJson(
	{ panel: { title, pumps, states }, version }: PanelRow,
	shown: (item: PanelItem) => Record<string, unknown> = () => ({}),
): Record<string, unknown> {
	return {
		title,
		pumps: pumps.map((item) => ({ ...itemToWire(item), ...shown(item) })),
		states: states.map((item) => ({ ...itemToWire(item), ...shown(item) })),
		version,
	};
}

/** What a panel item shows, beside its configuration (specification section 2.5). */
export function itemStateToJson(state: ItemState | undefined): Record<string, unknown> {
	return {
		value: state?.value ?? null,
		unit: null,
		quality: state?.quality ?? 'missing_reference',
	};
}

/** A board as stored; parsed content holds its kind's fields and no other. */
export function boardToJson({ board, version }: BoardRow): Record<string, unknown> {
	return { ...board.content, version };
}

/** An alarm as listed, with its state now (design section 3). */
export function alarmToJson({ alarm, version }: StoredAlarm, state: AlarmState | undefined): Record<string, unknown> {
	return {
		...alarm,
		version,
		active: state?.active ?? null,
		value: state?.value ?? null,
		quality: state?.quality ?? 'missing_reference',
	};
}

const isoOrNull = (time: number | null): string | null => (time === null ? null : iso(time));

const iso = (time: number): string => new Date(time).toISOString();

const itemToWire = ({ id, name, varId, type, bit }: PanelItem): Record<string, unknown> => ({
	id,
	name,
	varId,
	type,
	...(bit === undefined ? {} : { bit }),
});
