import type { SampleKey, SampleReader, SamplesResult } from '#domain/ports/sample-reader.ts';
import type { SpanKey, SpanReader, SpanResult } from '#domain/ports/span-reader.ts';
import { countBefore } from '#domain/totals/signal.ts';

/** Samples by topic, each by its time, which tests write and delete. */
export class MemorySeries implements SampleReader, Pick<SpanReader, 'readSpans'> {
	private readonly topics = new Map<string, Map<number, number>>();
	private readonly sorted = new Map<string, { readonly times: Float64Array; readonly values: Float64Array }>();
	/** The number of calls of each function. */
	readonly calls = { countSamples: 0, readSamples: 0, readSpans: 0 };

	write(topic: string, time: number, value: number): void {
		const own = this.topics.get(topic) ?? new Map<number, number>();
		own.set(time, value);
		this.topics.set(topic, own);
		this.sorted.delete(topic);
	}

	/** Deletes a sample, and returns whether there was one. */
	remove(topic: string, time: number): boolean {
		this.sorted.delete(topic);
		return this.topics.get(topic)?.delete(time) ?? false;
	}

	/** Returns the times of the samples from one time until before another. */
	timesIn(topic: string, from: number, to: number): readonly number[] {
		const { times } = this.of(topic);
		return [...times.subarray(countBefore(times, from), countBefore(times, to))];
	}

	countSamples(_: string, keys: readonly SampleKey[]): Promise<readonly number[]> {
		this.calls.countSamples += 1;
		return Promise.resolve(keys.map(({ topic, from, to }) => this.countIn(topic, from, to + 1)));
	}

	readSamples(_: string, keys: readonly SampleKey[]): Promise<readonly SamplesResult[]> {
		this.calls.readSamples += 1;
		return Promise.resolve(
			keys.map(({ topic, from, to, baseFrom }) => {
				const { times, values } = this.of(topic);
				const first = countBefore(times, from);
				const hasBase = baseFrom !== undefined && first > 0 && (times[first - 1] ?? 0) >= baseFrom;
				const [start, end] = [hasBase ? first - 1 : first, countBefore(times, to + 1)];
				return start === end ? [] : [{ tags: [], times: times.slice(start, end), values: values.slice(start, end) }];
			}),
		);
	}

	readSpans(_: string, keys: readonly SpanKey[]): Promise<readonly SpanResult[]> {
		this.calls.readSpans += 1;
		return Promise.resolve(
			keys.map(({ topic, bounds }) => {
				const values = bounds.slice(1).map((to, index) => this.countIn(topic, bounds[index] ?? to, to));
				return { columns: new Map([['count', { values, faults: new Map() }]]), newestAt: null };
			}),
		);
	}

	private countIn(topic: string, from: number, to: number): number {
		const { times } = this.of(topic);
		return countBefore(times, to) - countBefore(times, from);
	}

	private of(topic: string) {
		const known = this.sorted.get(topic);
		if (known !== undefined) return known;
		const samples = [...(this.topics.get(topic) ?? [])].sort(([a], [b]) => a - b);
		const arrays = {
			times: Float64Array.from(samples, ([time]) => time),
			values: Float64Array.from(samples, ([, value]) => value),
		};
		this.sorted.set(topic, arrays);
		return arrays;
	}
}
