import { type Cap, capsOf, typicalSeconds } from '#infra/aws/caps.ts';
import { reservedConcurrencyOf, schemasOfOne } from '#infra/aws/concurrency.ts';
import { pluralize } from '#infra/cli/pluralize.ts';
import type { EndpointName } from '#shared/contract.ts';
import { dashboardCounts } from './by-dashboards.ts';
import { schemaCounts } from './by-schemas.ts';
import { pollSeconds } from './prices.ts';
import { shippedSettings } from './shipped-settings.ts';
import { count, table } from './table.ts';
import { pollUnits, units } from './units.ts';

/** What a column of a table of the cost asks for. */
interface Load {
	readonly column: string;
	/** Requests per second, by endpoint. */
	readonly requests: ReadonlyMap<EndpointName, number>;
	/** Schemas whose alarms are evaluated each minute. */
	readonly schemas: number;
	/** Read units that one poll, `/bombs` or `/getAlarms` takes of the table of variables. */
	readonly definitionUnits: number;
}

/** A setting or a quota, and how much of it a column uses. */
interface Use {
	readonly name: string;
	readonly unit: string;
	readonly most: number;
	readonly used: number;
	/** The value that the setting or the quota needs; null where it is enough. */
	readonly raisedTo: number | null;
}

/** Default quotas of an account in a region (November 2026), each of which AWS raises on request and without a price. */
const quotas = { httpRequests: 10_000, signatures: 1000, concurrency: 1000, tableUnits: 40_000 } as const;

/** A token lives an hour, and up to a tenth less. Somebody signs in every 12 hours. */
const signInsPerSecond = { renewToken: 1 / 3240, loginSso: 1 / 43_200 } as const;

/** A column leaves a tenth of each setting and quota. */
const mostShare = 0.9;

/** The most that a partition of DynamoDB reads in a second, in units. A schema is one partition of the states of alarms. */
const partitionUnits = 3000;

function loadOf(column: string, dashboards: number, schemas: number, polled: readonly EndpointName[]): Load {
	return {
		column,
		requests: new Map([
			...polled.map((name) => [name, dashboards / pollSeconds] as const),
			['renewToken', dashboards * signInsPerSecond.renewToken],
			['loginSso', dashboards * signInsPerSecond.loginSso],
		]),
		schemas,
		definitionUnits: pollUnits(Math.max(1, schemas), units.packOf40),
	};
}

const withAlarms = ['multipleDataTsdb', 'getBombs', 'getAlarms'] as const;

/** Every column of both tables. */
const loads: readonly Load[] = [
	...dashboardCounts.map((each) => loadOf(pluralize(each, 'dashboard'), each, 0, ['multipleDataTsdb'])),
	...dashboardCounts.map((each) =>
		loadOf(`${pluralize(each, 'dashboard')} with \`/bombs\` and \`/getAlarms\``, each, 0, withAlarms),
	),
	...schemaCounts.map((each) => loadOf(pluralize(each, 'schema'), each, each, withAlarms)),
];

const settings = shippedSettings('production');
const caps: readonly Cap[] = capsOf(settings);
const reservations = new Map(Object.entries(reservedConcurrencyOf(settings)));

/** @param factors the part of the setting that may be used, and what it has for one of `unit` */
function use(name: string, unit: string, most: number, used: number, [share, each] = [mostShare, 1]): Use {
	return { name, unit, most, used, raisedTo: used > share * most ? Math.ceil((used * each) / share) : null };
}

/** Returns how much a column uses of each setting and quota. */
function usesOf({ requests, schemas, definitionUnits }: Load): readonly Use[] {
	const of = (names: readonly EndpointName[]): number => names.reduce((sum, name) => sum + (requests.get(name) ?? 0), 0);
	const all = of([...requests.keys()]);
	const tableReads = (rows: string, used: number) =>
		use(`DynamoDB’s reads of the table of ${rows}`, 'units/s', quotas.tableUnits, used);
	return [
		...caps.map(({ setting, perSecond, endpoints }) => {
			const isConcurrency = setting.startsWith('reservedConcurrency');
			return use(`\`${setting}\``, 'requests/s', perSecond, of(endpoints), [mostShare, isConcurrency ? typicalSeconds : 1]);
		}),
		// These are for whole workers.
		...Object.entries(schemasOfOne).map(([name, each]) =>
			use(`\`reservedConcurrency.${name}\``, 'schemas', (reservations.get(name) ?? 0) * each, schemas, [1, 1 / each]),
		),
		use('API Gateway’s requests', 'requests/s', quotas.httpRequests, all),
		use('KMS’s signatures', 'requests/s', quotas.signatures, of(['renewToken', 'loginSso'])),
		use('Lambda’s concurrency', 'at once', quotas.concurrency, all * typicalSeconds),
		tableReads('variables', of(withAlarms) * definitionUnits),
		// As if the evaluation read the states of all schemas within the same second.
		tableReads('alarm states', (of(['getAlarms']) + schemas) * (units.progress + units.states)),
		use('DynamoDB’s writes of the table of alarm states', 'units/s', quotas.tableUnits, schemas * units.tickWrites),
	];
}

/** Returns how many dashboards of one schema can read 100 alarms every 30 s. */
export function dashboardsOfOneSchema(): number {
	return Math.floor((partitionUnits * pollSeconds) / (units.progress + units.states));
}

/** Returns, as Markdown, which setting or quota each column of the tables reaches first on the settings of cdk.json, and what it needs beyond them. */
export function needsOfColumns(): string {
	return table(
		['column', 'requests per second', 'reached first', 'of it', 'to be raised, at least to'],
		...loads.map((load) => {
			const uses = usesOf(load).toSorted((a, b) => b.used / b.most - a.used / a.most);
			const [first] = uses;
			if (first === undefined) throw new TypeError('There is no setting.');
			const needs = uses.flatMap(({ name, raisedTo }) => (raisedTo === null ? [] : [`${name} ${count(raisedTo)}`]));
			return [
				load.column,
				count([...load.requests.values()].reduce((sum, each) => sum + each, 0)),
				`${first.name}: ${count(first.most)} ${first.unit}`,
				`${count((100 * first.used) / first.most)} %`,
				needs.length > 0 ? needs.join(', ') : '–',
			];
		}),
	);
}
