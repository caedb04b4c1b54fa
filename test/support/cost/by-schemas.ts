import { costOfRequests, daysOfMonth, polls, prices } from './prices.ts';
import { bold, dollars, table } from './table.ts';
import { pollUnits, roundUnits, savesPerDay, units } from './units.ts';

/** The columns of the table. */
export const schemaCounts = [1, 100, 1000, 5000] as const;

const ticks = daysOfMonth * 24 * 60;
const requestsOf = (schemas: number): number => 3 * polls * schemas;

/** The rows of the table: what is paid for, and the US$ of a month for so many schemas. */
const rows: readonly (readonly [name: string, cost: (schemas: number) => number])[] = [
	['HTTP API', (schemas) => costOfRequests['HTTP API'](requestsOf(schemas))],
	['Lambda', (schemas) => costOfRequests.Lambda(requestsOf(schemas))],
	['DynamoDB, polls: definitions, the panel, alarms', (schemas) => polls * schemas * roundUnits(schemas) * prices.read],
	[
		'DynamoDB, alarms each minute',
		(schemas) =>
			ticks * schemas * ((units.revision + units.alarms + units.states) * prices.read + units.tickWrites * prices.write),
	],
	['DynamoDB, packs after saves', (schemas) => daysOfMonth * savesPerDay * schemas * units.newPack * prices.write],
	['CloudWatch Logs', (schemas) => costOfRequests['CloudWatch Logs'](requestsOf(schemas))],
	['data out', (schemas) => costOfRequests['data out'](requestsOf(schemas))],
];

/** Returns the table of the cost by schemas, as Markdown. */
export function costBySchemas(): string {
	const cells = (cost: (schemas: number) => number) => schemaCounts.map((schemas) => dollars(cost(schemas)));
	const together = (schemas: number): number => rows.reduce((sum, [, cost]) => sum + cost(schemas), 0);
	return table(
		['schemas', ...schemaCounts.map((schemas) => schemas.toLocaleString('en'))],
		['read units of a poll, in the mean', ...cells((schemas) => pollUnits(schemas, units.packOf40))],
		...rows.map(([name, cost]) => [name, ...cells(cost)]),
		bold(['together', ...cells(together)]),
		['for each schema', ...cells((schemas) => together(schemas) / schemas)],
	);
}
