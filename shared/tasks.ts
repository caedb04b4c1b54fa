/** The tasks: functions that run by the clock and have no route (infra/aws/README.md#tasks). */
import { countsTotals, readsDefinitions, type Uses } from './uses.ts';

/**
 * The service that runs a task on AWS. `rule`: a rule of EventBridge; Lambda repeats a run that crashed. `scheduler`: EventBridge
 * Scheduler. A run is never repeated, and never later than the next one, which does its work.
 */
export interface TaskClock {
	readonly by: 'rule' | 'scheduler';
	readonly everyMinutes: number;
}

/** A function that runs by the clock and has no route (infra/aws/README.md#tasks). */
export interface Task {
	/** The name of its folder under `functions/` and of its event under `events/`. */
	readonly name: string;
	/** What it does, in a few words. */
	readonly description: string;
	/** When it runs; null: another task starts it every minute. Its runs are never repeated, and never late by more than a minute. */
	readonly clock: TaskClock | null;
	/** The time limit of a run. Left out: that of endpoints. */
	readonly timeoutSeconds?: number;
	/** The setting that an environment must have for the task to be deployed there. Without one, it is deployed everywhere. */
	readonly setting?: 'canary';
	readonly uses: Uses;
}

/** Every task. */
export const tasks = [
	{
		name: 'canary',
		description: 'Signs in and reads, as a client does',
		clock: { by: 'rule', everyMinutes: 5 },
		setting: 'canary',
		uses: { canaryToken: ['read'] },
	},
	{
		name: 'dispatchAlarms',
		description: 'Starts the evaluation of alarms, and measures it',
		clock: { by: 'scheduler', everyMinutes: 1 },
		uses: { evaluations: ['scan'], workers: ['evaluateAlarms'] },
	},
	{
		name: 'evaluateAlarms',
		description: 'Evaluates the alarms of some schemas, and tells of them',
		clock: null,
		timeoutSeconds: 58,
		uses: {
			variables: [...readsDefinitions, 'check'],
			boards: ['get', 'list', 'check'],
			evaluations: ['lease'],
			alarmStates: ['getMany', 'list', 'check', 'put', 'delete'],
			alarmEvents: ['put'],
			timeSeries: ['read'],
			notifier: ['send'],
		},
	},
	{
		name: 'closeReportDays',
		description: 'Stores, seals and sends the days of reports',
		clock: { by: 'scheduler', everyMinutes: 5 },
		timeoutSeconds: 300,
		uses: {
			...countsTotals,
			boards: ['get', 'getMany', 'list'],
			reportDays: ['getMany', 'list', 'put', 'lease'],
			owners: ['scan'],
			notifier: ['send'],
			workers: ['closeReportDays'],
		},
	},
	{
		name: 'packDefinitions',
		description: 'Packs the definitions of each schema, so that functions that start read them with few requests',
		clock: { by: 'scheduler', everyMinutes: 5 },
		timeoutSeconds: 300,
		uses: { variables: ['get', 'getMany', 'list', 'put'], owners: ['scan'] },
	},
] as const satisfies readonly Task[];

/** The name of a task: `'canary' | 'dispatchAlarms' | …`. */
export type TaskName = (typeof tasks)[number]['name'];

/** The `User-Agent` of the canary's requests. Requests with it are not counted as traffic of clients. */
export const canaryUserAgent = 'caudal-canary';
