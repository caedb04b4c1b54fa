/** Number of distances between samples from which the interval of a series is computed. */
export const intervalDistances = 10;

/**
 * Returns the interval between samples in milliseconds: the median of the distances between different times; null with fewer than two
 * times.
 * @param times epoch milliseconds, ascending
 * @example sampleIntervalMs([0, 5000, 10_000, 75_000]); // 5000
 */
export function sampleIntervalMs(times: readonly number[]): number | null {
	const distances = times
		.slice(1)
		.map((time, index) => time - (times[index] ?? time))
		.filter((distance) => distance > 0)
		.sort((a, b) => a - b);
	const middle = Math.floor(distances.length / 2);
	const [below, above] = [distances[middle - 1], distances[middle]];
	if (above === undefined) return null;
	return distances.length % 2 === 1 || below === undefined ? above : (below + above) / 2;
}
