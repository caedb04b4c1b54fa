import type { DatabaseSync } from 'node:sqlite';
import { joinedSamples, type TypedBase, type TypeSince } from '#adapters/joined-samples.ts';
import type { RawSamples, SampleKey, SamplesResult, SourceSamples } from '#domain/ports/sample-reader.ts';
import { isInexact, typeBitOf } from './kinds.ts';
import type { Statements, StoredSample } from './statements.ts';
import { numberIn, toNs } from './tables.ts';

/** Most samples of one part: some 20 ms of reading, so that other calls can run in between. */
const maxSamples = 50_000;

/** The samples of a part of a key's range. */
export interface SamplePart {
	/** Where the next part begins. A value after the key's `to` means that no part follows. */
	readonly next: number;
	readonly sources: RawSamples;
	/** The samples that have another type than the one before. */
	readonly types: readonly TypeSince[];
	/** The newest sample of each source before the range, which only the first part asks for. */
	readonly bases: readonly TypedBase[];
}

/** Prepares the functions that count and read samples. Times are epoch milliseconds; `from` and `to` are both included. */
export function prepareSamples(sqlite: DatabaseSync, statements: Statements) {
	const count = sqlite.prepare('SELECT count(*) AS samples FROM sample WHERE series = ? AND time >= ? AND time < ?');
	// Rounds down to milliseconds, also before 1970: SQLite divides towards zero.
	const rows = sqlite.prepare(`
		SELECT (time - (time % 1000000 + 1000000) % 1000000) / 1000000 AS ms, value, kind
		FROM sample WHERE series = ? AND time >= ? AND time < ? ORDER BY time`);
	const sourceOf = (id: number, samples: readonly Pick<StoredSample, 'ms' | 'value' | 'kind'>[]): SourceSamples => ({
		tags: statements.tagsOf(id),
		times: Float64Array.from(samples, ({ ms }) => ms),
		values: Float64Array.from(samples, ({ value, kind }) => (value === null || isInexact(kind) ? Number.NaN : value)),
	});
	return {
		countSamples: (database: string, keys: readonly SampleKey[]): readonly number[] =>
			keys.map(({ from, to, ...series }) =>
				statements
					.candidates(database, series)
					.map(({ id }) => numberIn(count.get(id, toNs(from), toNs(to + 1)) ?? {}, 'samples'))
					.reduce((sum, samples) => sum + samples, 0),
			),
		/** Reads the part of a key's range that begins at its `from`. */
		readSamplePart(database: string, { from, to, baseFrom, ...series }: SampleKey): SamplePart {
			// The series of all tag sets.
			const candidates = statements.candidates(database, series);
			const samplesPerSeries = Math.ceil(maxSamples / Math.max(1, candidates.length));
			// Where the samples of each series that has too many are cut off.
			const limits = candidates.flatMap(({ id }) => statements.timeAfter(id, from, to + 1, samplesPerSeries) ?? []);
			// At least one millisecond, however many samples it has, so that reading goes on.
			const next = Math.max(from + 1, Math.min(to + 1, ...limits));
			const types: TypeSince[] = [];
			const bases = candidates.flatMap(({ id }): readonly TypedBase[] => {
				const base = baseFrom === undefined ? undefined : statements.newest(id, baseFrom, from);
				return base === undefined ? [] : [{ ...sourceOf(id, [base]), type: typeBitOf(base.kind) }];
			});
			const sources = candidates.flatMap(({ id }): RawSamples => {
				const samples = rows.all(id, toNs(from), toNs(next)).map((row) => ({
					ms: numberIn(row, 'ms'),
					value: row['value'] === null ? null : numberIn(row, 'value'),
					kind: numberIn(row, 'kind'),
				}));
				if (samples.length === 0) return [];
				let kindBefore: number | undefined;
				for (const { ms, kind } of samples) {
					if (kind === kindBefore) continue;
					kindBefore = kind;
					types.push([typeBitOf(kind), ms]);
				}
				return [sourceOf(id, samples)];
			});
			return { next, sources, types, bases };
		},
	};
}

/** Reads the samples of a key part by part, so that other calls can run in between. */
export async function readSamplesOf(readPart: (key: SampleKey) => Promise<SamplePart>, key: SampleKey): Promise<SamplesResult> {
	const { from: _from, to, baseFrom: _baseFrom, ...series } = key;
	let part = await readPart(key);
	const parts = [part];
	while (part.next <= to) {
		// Without `baseFrom`: the first part has the sample before the range already.
		part = await readPart({ ...series, from: part.next, to });
		parts.push(part);
	}
	return joinedSamples(
		parts.flatMap(({ sources }) => sources),
		parts.flatMap(({ types }) => types),
		parts.flatMap(({ bases }) => bases),
	);
}
