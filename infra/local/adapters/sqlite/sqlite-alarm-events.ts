import type { DatabaseSync } from 'node:sqlite';
import * as v from 'valibot';
import { readable } from '#adapters/invalid-row.ts';
import { eventExpiry, parseStoredEvent } from '#adapters/stored-alarm.ts';
import { type AlarmEvent, alarmEventKey, alarmEventKeyStart } from '#domain/alarm-rows/alarm-event.ts';
import { type EventPage, type EventPageRequest, maxEventPageBytes } from '#domain/ports/alarm-store.ts';

const table = `
	CREATE TABLE IF NOT EXISTS alarm_event (
		schema TEXT, key TEXT, alarm_id INTEGER NOT NULL, expires_at INTEGER NOT NULL, body TEXT NOT NULL, PRIMARY KEY (schema, key)
	) STRICT, WITHOUT ROWID;
	CREATE INDEX IF NOT EXISTS alarm_event_by_expiry ON alarm_event (expires_at);
`;

const storedSchema = v.object({ key: v.string(), alarmId: v.number(), body: v.string() });

/** Adds events to the journal of a schema. Call both functions in the transaction of the commit that caused the events. */
interface AlarmEventWriter {
	/** Returns false when an event with one of their keys is stored already. */
	areNew(schema: string, events: readonly AlarmEvent[]): boolean;
	/** Adds new events, and deletes the expired events of all schemas. */
	add(schema: string, events: readonly AlarmEvent[]): void;
}

/** Creates the writer of events. `days`: how many days an event stays in the journal. */
export function alarmEventWriter(database: DatabaseSync, days: number): AlarmEventWriter {
	database.exec(table);
	const find = database.prepare('SELECT 1 FROM alarm_event WHERE schema = ? AND key = ?');
	const removeExpired = database.prepare('DELETE FROM alarm_event WHERE expires_at <= ?');
	const insert = database.prepare('INSERT INTO alarm_event VALUES (?, ?, ?, ?, ?)');
	return {
		areNew: (schema, events) => events.every((event) => find.get(schema, alarmEventKey(event)) === undefined),
		add: (schema, events) => {
			const [first] = events;
			if (first !== undefined) removeExpired.run(first.recordedAt);
			for (const event of events)
				insert.run(schema, alarmEventKey(event), event.alarmId, eventExpiry(event, days), JSON.stringify(event));
		},
	};
}

/** Creates the function that reads pages of the journal: `AlarmStore.events`. `now`: epoch milliseconds. */
export function alarmEventReader(database: DatabaseSync, now: () => number) {
	database.exec(table);
	const select = database.prepare(`
		SELECT key, alarm_id AS alarmId, body FROM alarm_event
		WHERE schema = :schema AND key > :first AND key < :last AND expires_at > :now ORDER BY key DESC`);
	return (schema: string, { start, end, alarmId, limit, after }: EventPageRequest): EventPage => {
		const endKey = alarmEventKeyStart(end);
		const last = after === null || after > endKey ? endKey : after;
		const events: AlarmEvent[] = [];
		let bytes = 0;
		/** The key of the last row that was looked at, after which the next page goes on. */
		let lastKey: string | null = null;
		for (const row of select.iterate({ schema, first: alarmEventKeyStart(start), last, now: now() })) {
			if (events.length === limit || bytes >= maxEventPageBytes) return { events, next: lastKey };
			const { key, alarmId: rowAlarmId, body } = v.parse(storedSchema, row);
			bytes += Buffer.byteLength(body);
			lastKey = key;
			if (alarmId === null || alarmId === rowAlarmId)
				events.push(...readable(schema, [body], parseStoredEvent, () => `alarmEvent#${key}`));
		}
		return { events, next: null };
	};
}
