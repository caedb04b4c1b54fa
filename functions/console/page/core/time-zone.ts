import { computed } from '@preact/signals';
import { instantOf, localTimeAt } from '#domain/calendar/local-time.ts';
import { openTimeZone, type TimeZone } from '#domain/calendar/time-zone.ts';
import { preference } from './preferences.ts';

/**
 * The name of the time zone in which times are shown and typed; empty for that of the browser. It also decides where days begin in
 * histories and back-tests, and it is the zone of times in CSV. The clock shows its name. Narrow screens show it only if it is not that
 * of the browser.
 */
export const chosenZone = preference<string>('time-zone', {
	byDefault: '',
	parse: (text) => (text === '' || openTimeZone(text) !== null ? text : null),
});

const zone = computed(() => openTimeZone(chosenZone.value) ?? openTimeZone(browserZone()) ?? { name: 'UTC', offsetAt: () => 0 });

/** The time zone in which everything is shown. */
export function viewZone(): TimeZone {
	return zone.value;
}

/** The name of the browser's own zone. */
export function browserZone(): string {
	return new Intl.DateTimeFormat().resolvedOptions().timeZone;
}

/** Whether times are shown in another zone than that of the browser. */
export function isForeignZone(): boolean {
	return chosenZone.value !== '' && zone.value.name !== openTimeZone(browserZone())?.name;
}

/** Returns the local time at an instant as a date whose fields in UTC are the local ones. */
export function localDateAt(time: number): Date {
	return new Date(localTimeAt(time, zone.value));
}

/** Returns the instant of a local time, as `Date.UTC` takes it: an hour of 24 is the next midnight. */
export function instantAt(...local: Parameters<typeof Date.UTC>): number {
	return instantOf(Date.UTC(...local), zone.value);
}

/** Returns the instant at which the local day of `time` begins. */
export function dayStartAt(time: number): number {
	const date = localDateAt(time);
	return instantAt(date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate());
}

/** Whether two instants are on the same local day. */
export function isSameDay(a: number, b: number): boolean {
	return dayStartAt(a) === dayStartAt(b);
}
