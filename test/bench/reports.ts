import { fortyLines, openReportPlant, tenant, writePlant } from '#test/support/reports/report-plant.ts';
import { alternate, type BenchRow, ratioRow, sizeOf } from './row.ts';

const dayMs = 86_400_000;
const start = Date.UTC(2026, 0, 1);
const days = sizeOf(365, 31);
const sampleEveryMs = 3_600_000;
/** Most days that one request seals. */
const maxSealedDays = 31;
const rounds = sizeOf(5, 1);

/**
 * Reads a year of sealed days of 40 lines: all of it, with the comparison and the numbers of the year, against reading and parsing its rows
 * alone (shared/domain/report/README.md#reading).
 */
export async function benchReports(): Promise<readonly BenchRow[]> {
	const plant = await openReportPlant(start, { lines: fortyLines });
	writePlant(plant.series, start - dayMs, start + days * dayMs, sampleEveryMs);
	// Days are provisional for 72 hours.
	plant.clock.now = start + (days + 4) * dayMs;
	for (let first = 0; first < days; first += maxSealedDays)
		await plant.seal(dateAt(first), dateAt(Math.min(first + maxSealedDays, days) - 1), 'Bench');
	const key = { schema: tenant.schema, reportId: plant.id };
	const times = await alternate(
		() => plant.read(start, start + days * dayMs, 'year'),
		() => plant.stored.list(key, dateAt(0), dateAt(days - 1)),
		rounds,
	);
	return [ratioRow('A year of sealed days, 40 lines', 'reading and parsing its rows', times, { maxRatio: 1.2 })];
}

const dateAt = (day: number): string => new Date(start + day * dayMs).toISOString().slice(0, 10);
