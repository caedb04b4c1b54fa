import { batch, computed, signal } from '@preact/signals';
import { maxAcknowledgedAlarms } from '#domain/validation/input-limits.ts';
import { compareAlarms, isOpenAlarm, isUnacknowledged } from './alarm-state.ts';
import { api, type Failure, type Result, resultOf, type Schemas } from './api.ts';
import { currentTime, now } from './clock.ts';
import { addPollTask, graceMs } from './poll.ts';
import { interval } from './preferences.ts';
import { createReadCheck } from './read-check.ts';
import { onTenantChange, sessionCheck } from './session.ts';

/** An alarm with its state, as listed. */
export type ListedAlarm = Schemas['AlarmState'];

/** All alarms in ascending order of ids; undefined until they were read. Every poll renews them. */
export const alarms = signal<readonly ListedAlarm[] | undefined>(undefined);

/** Up to which time the service has evaluated the alarms; undefined until that was read. */
export const evaluation = signal<Schemas['Evaluation'] | undefined>(undefined);

/** The alarms that were raised again while somebody acknowledged an older occurrence: the newest occurrence by the id of the alarm. */
export const raisedAgain = signal<ReadonlyMap<number, number>>(new Map());

/** The result of the last acknowledgement or shelving: a sentence for the screen, and the failure, if any. */
export const lastAct = signal<{ readonly sentence: string; readonly failure: Failure | null }>({ sentence: '', failure: null });

const beginRead = createReadCheck();

/** When the alarms were last read, in epoch milliseconds; null before the first time. */
const readAt = signal<number | null>(null);

/** Browsers may run the timers of a hidden tab only once a minute. */
const hiddenTabSeconds = 60;

/** Whether the last reading of the alarms is older than it should be. */
export const areAlarmsOld = computed(
	() => readAt.value !== null && now.value - readAt.value > Math.max(hiddenTabSeconds, interval.value) * 1000 + graceMs,
);

onTenantChange(() => {
	batch(() => {
		readAt.value = null;
		alarms.value = undefined;
		evaluation.value = undefined;
		raisedAgain.value = new Map();
		lastAct.value = { sentence: '', failure: null };
	});
});

/** The alarms that are active or not acknowledged, without those that are shelved; worst first. */
export const openAlarms = computed(() => (alarms.value ?? []).filter(isOpenAlarm).toSorted(compareAlarms));

/** The alarms that somebody must acknowledge, worst first. */
export const unacknowledgedAlarms = computed(() => openAlarms.value.filter(isUnacknowledged));

/** Whether the states of alarms are out of date, because the service evaluates them late or not at all. */
export const isEvaluationLate = computed(() => {
	const status = evaluation.value?.status ?? 'ok';
	return status !== 'ok' && (alarms.value ?? []).some(({ state }) => state !== 'disabled');
});

/** Takes part in every poll: lists the alarms with their states. */
export function startAlarms(): () => void {
	return addPollTask('alarms', readAlarms);
}

/** Reads the alarms now, for example after a save. Returns the failure, or null. */
export async function readAlarms(): Promise<Failure | null> {
	const isNewest = beginRead();
	const result = await resultOf(api.GET('/getAlarms'));
	if (!result.ok) return result.failure;
	if (isNewest())
		batch(() => {
			readAt.value = currentTime();
			alarms.value = result.data.data;
			evaluation.value = result.data.evaluation;
		});
	return null;
}

/**
 * Acknowledges the occurrences that the person has seen; many need several requests. Then it reads the alarms again, also after a
 * failure. `raisedAgain` holds each alarm that was raised again meanwhile, until its newest occurrence is acknowledged.
 */
export async function acknowledge(
	seen: readonly Schemas['SeenOccurrence'][],
	comment = '',
): Promise<Result<readonly Schemas['AcknowledgedAlarm'][]>> {
	const acknowledged: Schemas['AcknowledgedAlarm'][] = [];
	let failed: { readonly ok: false; readonly failure: Failure } | null = null;
	const isSameSession = sessionCheck();
	const sentComment = comment.trim() === '' ? {} : { comment: comment.trim() };
	for (let from = 0; from < seen.length; from += maxAcknowledgedAlarms) {
		const some = seen.slice(from, from + maxAcknowledgedAlarms).map(({ id, occurrence }) => ({ id, occurrence }));
		const result = await resultOf(api.POST('/ackAlarms', { body: { alarms: some, ...sentComment } }));
		if (!result.ok) {
			failed = result;
			break;
		}
		acknowledged.push(...result.data.data);
	}
	if (isSameSession()) noteRaisedAgain(acknowledged);
	await readAlarms();
	return failed ?? { ok: true, data: acknowledged, etag: null };
}

/** Adds the alarms that were raised again to `raisedAgain`, and removes those whose newest occurrence is acknowledged. */
function noteRaisedAgain(acknowledged: readonly Schemas['AcknowledgedAlarm'][]): void {
	const newestOccurrences = new Map(raisedAgain.value);
	for (const { id, result, occurrence } of acknowledged) {
		if (result === 'newer' && occurrence !== null) newestOccurrences.set(id, occurrence);
		else newestOccurrences.delete(id);
	}
	raisedAgain.value = newestOccurrences;
}
