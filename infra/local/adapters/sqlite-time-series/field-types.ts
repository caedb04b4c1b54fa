import type { DatabaseSync } from 'node:sqlite';
import { createLruCache } from '#domain/lru-cache.ts';
import { dayMs, hourMs } from '#domain/milliseconds.ts';
import { maxTimeNs, minTimeNs } from '../line-protocol/point.ts';
import { typeNameOf } from './kinds.ts';
import { type PackedPoints, type SeriesName, valueOrCreate } from './pack.ts';
import { numberIn, toNs } from './tables.ts';

/** Most types in the cache: those of the fields of some years, each with its shards. */
const maxCachedTypes = 100_000;

/** InfluxDB's shards of a week begin on Mondays, and 1970 began three days after one. Shards of a day and of an hour fit in. */
const sinceMondayNs = toNs(3 * dayMs);

/** Returns the length of a shard in milliseconds, which follows the retention as in InfluxDB (influxdb/v1/services/meta/data.go). */
export function shardMsOf(retentionMs: number): number {
	if (retentionMs >= 180 * dayMs) return 7 * dayMs;
	return retentionMs >= 2 * dayMs ? dayMs : hourMs;
}

/** The numbers of refused lines by the reason, in InfluxDB's words. */
export type LinesByReason = ReadonlyMap<string, readonly number[]>;

/**
 * Creates the rule that a field of a measurement has one type within a shard, whatever its tags: that of the first value that was seen there,
 * stored or not. If none was seen since the start, it is that of a stored sample. Files from before the rule may hold several types; one of
 * the newest is taken.
 */
export function createFieldTypes(sqlite: DatabaseSync, shardMs: number) {
	const shardNs = toNs(shardMs);
	const find = sqlite.prepare(`
		SELECT (SELECT kind FROM sample WHERE series = id AND time >= ? AND time <= ? ORDER BY time DESC LIMIT 1) AS newest
		FROM series WHERE database = ? AND measurement = ? AND field = ? AND newest IS NOT NULL LIMIT 1`);
	let cache = createLruCache<string, string>(maxCachedTypes);

	const typeIn = (database: string, { measurement, field }: SeriesName, start: bigint, sent: string): string => {
		const key = JSON.stringify([database, measurement, field, String(start)]);
		const cached = cache.get(key);
		if (cached !== undefined) return cached;
		const last = start + shardNs - 1n;
		const range = [start < minTimeNs ? minTimeNs : start, last > maxTimeNs ? maxTimeNs : last];
		const row = find.get(...range, database, measurement, field);
		const type = row === undefined ? sent : typeNameOf(numberIn(row, 'newest'));
		cache.set(key, type);
		return type;
	};
	return {
		/**
		 * Finds the lines that hold a value of another type than its field, or the field `time`.
		 * @param lines the number of each point's line; empty: no point is looked at
		 * @returns the lines, and for each point 1 if it is of one of them
		 */
		refusedOf(database: string, { names, series, timesNs, kinds }: PackedPoints, lines: readonly number[]) {
			/** The last shard of each series, because neighbouring samples mostly have the same. */
			const shards: { readonly start: bigint; readonly stop: bigint; readonly type: string }[] = [];
			const conflictAt = (index: number): string | undefined => {
				const [nameIndex = 0, timeNs = 0n, kind = 0] = [series[index], timesNs[index], kinds[index]];
				const name = names[nameIndex];
				if (name === undefined) throw new RangeError(`Packed points end before point ${index}`);
				if (name.field === 'time') return `invalid field name: ${inputOf(name)} is invalid`;
				const sent = typeNameOf(kind);
				let shard = shards[nameIndex];
				if (shard === undefined || timeNs < shard.start || timeNs >= shard.stop) {
					const start = timeNs - ((((timeNs + sinceMondayNs) % shardNs) + shardNs) % shardNs);
					shard = { start, stop: start + shardNs, type: typeIn(database, name, start, sent) };
					shards[nameIndex] = shard;
				}
				if (shard.type === sent) return undefined;
				return `field type conflict: ${inputOf(name)} is type ${sent}, already exists as type ${shard.type}`;
			};
			const linesByReason = new Map<string, number[]>();
			const isRefused = new Uint8Array(series.length);
			for (let from = 0, end = 0; from < lines.length; from = end) {
				const line = lines[from];
				let reason: string | undefined;
				// The fields after one that is refused are not looked at, so they set no type.
				for (; lines[end] === line && end < lines.length; end += 1) reason ??= conflictAt(end);
				if (reason === undefined || line === undefined) continue;
				valueOrCreate(linesByReason, reason, () => []).push(line);
				isRefused.fill(1, from, end);
			}
			return { linesByReason, isRefused };
		},
		/** Clears the cache. */
		forget(): void {
			cache = createLruCache(maxCachedTypes);
		},
	};
}

const inputOf = ({ measurement, field }: SeriesName): string =>
	`input field ${JSON.stringify(field)} on measurement ${JSON.stringify(measurement)}`;
