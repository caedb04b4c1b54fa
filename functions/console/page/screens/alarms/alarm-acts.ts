import { type Acts, createActs } from '#page/core/acts.ts';
import { acknowledge, alarms, type ListedAlarm, lastAct, readAlarms } from '#page/core/alarms.ts';
import { api, type Result, resultOf, type Schemas } from '#page/core/api.ts';
import { sessionCheck } from '#page/core/session.ts';
import { alarmStateText } from '#page/i18n/alarm-states.ts';
import { alarmText } from './texts.ts';

/** Acknowledges the occurrences of alarms that are on the screen. Returns whether all of them are acknowledged. */
export async function acknowledgeSeen(seen: readonly ListedAlarm[], comment = ''): Promise<boolean> {
	const words = alarmStateText();
	const isSameSession = sessionCheck();
	const result = await acknowledge(seen, comment);
	if (!isSameSession()) return false;
	if (!result.ok) {
		lastAct.value = { sentence: words.notAcknowledged, failure: result.failure };
		return false;
	}
	// These alarms were raised again before the request arrived. Their new occurrence is not acknowledged.
	const raisedAgain = result.data.filter((outcome) => outcome.result === 'newer');
	const goneCount = result.data.filter((outcome) => outcome.result === 'not_found').length;
	const doneCount = result.data.length - raisedAgain.length - goneCount;
	const nameOf = (id: number): string => alarms.value?.find((alarm) => alarm.id === id)?.name ?? String(id);
	// `occurrence` is null only for an alarm that does not exist, so never for one that was raised again.
	const sentences = [
		...(doneCount === 0 ? [] : [acknowledgedText(seen, doneCount)]),
		...raisedAgain.map(({ id, occurrence }) => `${nameOf(id)}: ${words.raisedAgain(occurrence ?? 0)}`),
		...(goneCount === 0 ? [] : [alarmText().notFound(goneCount)]),
	];
	lastAct.value = { sentence: sentences.join('. '), failure: null };
	return raisedAgain.length === 0 && goneCount === 0;
}

/**
 * Shelves an alarm. `acts` belongs to the form, so that sending the form again is not a second request. Returns whether the alarm is
 * shelved.
 */
export async function shelve({ id, name }: ListedAlarm, shelf: Schemas['ShelfInput'], acts: Acts): Promise<boolean> {
	const request = acts.send({ content: shelf }, (header) =>
		resultOf(api.POST('/shelveAlarm/{id}', { params: { path: { id }, header }, body: shelf })),
	);
	return sayOutcome(request, alarmText().shelved(name));
}

/** The acts of unshelving. All buttons share them, so that pressing another one again is not a second request. */
const unshelving = createActs();

/** Unshelves an alarm. Returns whether that succeeded. */
export async function bringBack({ id, name, shelvedUntil }: ListedAlarm): Promise<boolean> {
	// `shelvedUntil` is part of the content, so that unshelving after another shelving is a new request and no repetition.
	const request = unshelving.send({ content: [id, shelvedUntil] }, (header) =>
		resultOf(api.POST('/unshelveAlarm/{id}', { params: { path: { id }, header } })),
	);
	return sayOutcome(request, alarmText().broughtBack(name));
}

/** Says that alarms were acknowledged: a single alarm by its name, several by their number. */
function acknowledgedText(seen: readonly ListedAlarm[], count: number): string {
	const [first, ...others] = seen;
	if (first !== undefined && others.length === 0) return alarmStateText().acknowledgedNow(first.name);
	return alarmText().acknowledged(count);
}

/**
 * Says whether an act succeeded, and reads the alarms again if it did. Returns whether it did. Nothing is said after another session has
 * begun.
 */
async function sayOutcome(request: Promise<Result<unknown>>, successSentence: string): Promise<boolean> {
	const isSameSession = sessionCheck();
	const result = await request;
	if (!isSameSession()) return false;
	lastAct.value = result.ok
		? { sentence: successSentence, failure: null }
		: { sentence: alarmText().notDone, failure: result.failure };
	if (result.ok) await readAlarms();
	return result.ok;
}
