import { unitsOfAlarmStates } from '#infra/aws/caps.ts';
import { pollSeconds } from './prices.ts';

/**
 * Units of DynamoDB, each asserted on DynamoDB Local: polls and packs by packs.integration.ts, alarms by alarm-capacity.integration.ts and
 * tick-capacity.integration.ts, the panel and saves by capacity.integration.ts. Of AWS, where DynamoDB Local counts an index otherwise.
 */
export const units = {
	/** Of a read whose definitions are in memory: the revision of the schema. */
	revision: 1,
	/** Of the pack of 500 definitions, and of the part of it that 40 need. */
	packOf500: 4.5,
	packOf40: 1,
	/** Of a definition that changed since its pack, with the metadata. */
	changedDefinition: 6,
	/** Written for a new pack. */
	newPack: 11,
	/** Of a panel of some ten items. */
	panel: 1,
	/** Of 100 alarms, of their states, and of the progress of the evaluation, which is in the table of the states. */
	alarms: 7,
	states: unitsOfAlarmStates - 1,
	progress: 1,
	/** Written for a tick of alarms where nothing happens. */
	tickWrites: 2,
} as const;

/** An environment of a function keeps the definitions of so many schemas (definition-cache.ts), and serves one request at a time. */
const schemasInMemory = 100;
/** It keeps the alarms of so many schemas with 100 each (saved-alarms.ts). */
const schemasOfAlarmsInMemory = 400;
const requestSeconds = 0.3;
export const savesPerDay = 20;
const packSeconds = 300;
const secondsPerDay = 86_400;

/**
 * Returns the read units that definitions cost a poll in the mean, where each schema has one dashboard and Lambda gives polls to any free
 * environment. `npm run bench -- tenants` simulates it with the cache itself, and is within a tenth.
 * @param packUnits of the definitions that a poll needs
 */
export function pollUnits(schemas: number, packUnits: number): number {
	const environments = Math.max(1, Math.ceil((schemas * requestSeconds) / pollSeconds));
	// An environment serves about as many schemas between two polls of one as it keeps, so every second return comes too late.
	const hits = schemas <= schemasInMemory ? 1 : 1 / (2 * environments);
	const savedSince = (seconds: number): number => (savesPerDay * seconds) / secondsPerDay;
	const cold = packUnits + savedSince(packSeconds / 2) * units.changedDefinition;
	return units.revision + (1 - hits) * cold + hits * savedSince(pollSeconds) * units.changedDefinition;
}

/** Returns the read units that a request for 100 alarms costs in the mean beside definitions of variables, likewise. */
export function alarmUnits(schemas: number): number {
	// Rows are kept only when they are read a minute after they were first seen, and most environments do not keep them so long.
	const readAgain = schemas <= schemasOfAlarmsInMemory ? 0 : units.alarms;
	return units.revision + readAgain + units.progress + units.states;
}

/** Returns the read units of one round of a dashboard: a poll of 40 variables, `/bombs` and `/getAlarms`. */
export function roundUnits(schemas: number): number {
	return 3 * pollUnits(schemas, units.packOf40) + units.panel + alarmUnits(schemas);
}
