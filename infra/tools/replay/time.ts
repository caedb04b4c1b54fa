/** Times that InfluxDB holds (64 bits of nanoseconds): the years 1677 to 2262. Epoch milliseconds. */
const limitMs = 9_223_372_036_854;

/** Below this, an epoch number counts seconds (past the limit above); from it on, milliseconds (from April 1970 on). */
const secondsBelow = 1e10;

const epoch = /^-?\d+(?:\.\d+)?$/;

const calendar =
	/^(?<date>\d{4}-\d\d-\d\d)(?:[T ](?<hours>\d\d):(?<minutes>\d\d)(?::(?<seconds>\d\d)(?:[.,](?<fraction>\d+))?)?\s?(?<zone>Z|[+-]\d\d(?::?\d\d)?)?)?$/i;

/**
 * A cell's time in epoch milliseconds: `2017-01-04 00:00:00`, ISO-8601 with or without a zone (UTC without one), a date
 * alone, or an epoch number in seconds or milliseconds.
 * @returns null for anything else, and for a day or an hour that does not exist
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
	const aheadMinutes = zoneMinutes(zone);
	// Date.parse takes 30 February for 2 March, and 24:00 for the next day: what comes back tells.
	if (Number.isNaN(utcMs) || aheadMinutes === null || new Date(utcMs).toISOString() !== iso) return null;
	return withinLimits(utcMs - aheadMinutes * 60_000);
}

const withinLimits = (timeMs: number): number | null => (Math.abs(timeMs) <= limitMs ? timeMs : null);

/** How far a zone is ahead of UTC in minutes, null for none that exists. */
function zoneMinutes(zone: string): number | null {
	if (zone.toUpperCase() === 'Z') return 0;
	const hours = Number(zone.slice(1, 3));
	const minutes = Number(zone.slice(3).replace(':', ''));
	if (hours > 14 || minutes > 59) return null;
	return (zone.startsWith('-') ? -1 : 1) * (60 * hours + minutes);
}
