import type { Reading } from '#domain/reading/reading.ts';
import { withoutNames, withoutValues } from '#domain/reading/skipped.ts';
import { type ApiResponse, ok, withReadings } from './api-response.ts';
import { readingToJson } from './serialize.ts';

/**
 * Returns the response of a batch read. Where it is too large to be sent, readings become `skipped` until the others fit
 * (shared/http/README.md#answers-that-are-too-large): histories first, from the end.
 */
export function readingsResponse(readings: readonly Reading[]): ApiResponse {
	return withReadings(readings, {
		...ok({ data: readings.map(readingToJson) }),
		remedy: 'ask for it in another request',
		shrink: (maxBytes, remedy) => readingsResponse(fitting(readings, maxBytes, remedy)),
	});
}

/** Returns the readings with as few of them skipped as makes the entries fit into `maxBytes`. */
function fitting(readings: readonly Reading[], maxBytes: number, remedy: string): readonly Reading[] {
	const fitted = [...readings];
	const sizes = readings.map(sizeOf);
	let total = sizes.reduce((sum, size) => sum + size, 0);
	for (const [index, reading] of smallerForms(readings, remedy)) {
		if (total <= maxBytes) break;
		const saved = (sizes[index] ?? 0) - sizeOf(reading);
		if (saved <= 0) continue;
		total -= saved;
		sizes[index] = sizeOf(reading);
		fitted[index] = reading;
	}
	return fitted;
}

/** Smaller forms of readings with their positions, those that a client misses least first. */
function* smallerForms(readings: readonly Reading[], remedy: string): Generator<readonly [index: number, reading: Reading]> {
	const fromEnd = [...readings.entries()].reverse();
	for (const [index, reading] of fromEnd) if (hasPoints(reading)) yield [index, withoutValues(reading, remedy)];
	// The names of thousands of variables and of their bits can be too large without any value.
	for (const [index, reading] of fromEnd) yield [index, withoutNames(reading, remedy)];
}

/**
 * The size of an entry in bytes as Lambda sends it: JSON within a JSON string, in which every quote is escaped. The two quotes around the
 * string are counted, too: they are more than the comma between entries.
 */
const sizeOf = (reading: Reading): number => Buffer.byteLength(JSON.stringify(JSON.stringify(readingToJson(reading))));

const hasPoints = ({ content }: Reading): boolean => content.type === 'history' && content.series.length > 0;
