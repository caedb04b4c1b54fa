/** The largest time that InfluxDB stores (64 bits of nanoseconds, years 1677 to 2262), in epoch milliseconds. */
const maxTimeMs = 9_223_372_036_854;

/** An epoch number below this counts seconds (up to the year 2262), else milliseconds (from April 1970). */
const secondsBelow = 1e10;

const epoch = /^-?\d+(?:\.\d+)?$/;

const calendar =
	/^(?<date>\d{4}-\d\d-\d\d)(?:[T ](?<hours>\d\d):(?<minutes>\d\d)(?::(?<seconds>\d\d)(?:[.,](?<fraction>\d+))?)?\s?(?<zone>Z|[+-]\d\d(?::?\d\d)?)?)?$/i;

/**
 * Parses the time of a cell: `2017-01-04 00:00:00`, ISO-8601 with or without a zone (UTC without one), a date alone, or an
 * epoch number in seconds or milliseconds.
 * @returns epoch milliseconds; null for other text and for a day or an hour that does not exist
 */
export function parseTime(cell: string): number | null {
	const text = cell.trim();
	if (epoch.test(text)) {
		const number = Number(text);
		return withinLimits(Math.round(Math.abs(number) < secondsBelow ? number * 1000 : number));
	}
	const groups = calendar.exec(text)?.groups;
	if (groups === undefined) return null;
	const { date = '', hours = '00', minutes = '00', seconds = '00', fraction = '', zone = 'Z' } = groups;
	const iso = `${date}T${hours}:${minutes}:${seconds}.${fraction.padEnd(3, '0').slice(0, 3)}Z`;
	const utcMs = Date.parse(iso);
	const zoneMs = zoneOffsetMs(zone);
	// Date.parse reads 30 February as 2 March and 24:00 as the next day, so the result is compared with the text.
	if (Number.isNaN(utcMs) || zoneMs === null || new Date(utcMs).toISOString() !== iso) return null;
	return withinLimits(utcMs - zoneMs);
}

const withinLimits = (timeMs: number): number | null => (Math.abs(timeMs) <= maxTimeMs ? timeMs : null);

/** The offset of a zone from UTC in milliseconds, or null when no such zone exists. */
function zoneOffsetMs(zone: string): number | null {
	if (zone.toUpperCase() === 'Z') return 0;
	const hours = Number(zone.slice(1, 3));
	const minutes = Number(zone.slice(3).replace(':', ''));
	if (hours > 14 || minutes > 59) return null;
	return (zone.startsWith('-') ? -1 : 1) * (60 * hours + minutes) * 60_000;
}
