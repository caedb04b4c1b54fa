import { type Acts, createActs } from '#page/core/acts.ts';
import { acknowledge, alarms, type ListedAlarm, lastAct, readAlarms } from '#page/core/alarms.ts';
import { api, type Failure, resultOf, type Schemas } from '#page/core/api.ts';
import { alarmStateText } from '#page/i18n/alarm-states.ts';
import { alarmText } from './texts.ts';

/** Acknowledges the occurrences of alarms that are on the screen. Returns whether all of them are acknowledged. */
export async function acknowledgeSeen(seen: readonly ListedAlarm[], comment = ''): Promise<boolean> {
	const words = alarmStateText();
	const result = await acknowledge(seen, comment);
	if (!result.ok) {
		lastAct.value = { sentence: words.notAcknowledged, failure: result.failure };
		return false;
	}
	const newer = result.data.filter((each) => each.result === 'newer');
	const gone = result.data.filter((each) => each.result === 'not_found').length;
	const done = result.data.length - newer.length - gone;
	const [only] = seen;
	const nameOf = (id: number): string => alarms.value?.find((alarm) => alarm.id === id)?.name ?? String(id);
	const sentences = [
		...(done === 0
			? []
			: [seen.length === 1 && only !== undefined ? words.acknowledgedNow(only.name) : alarmText().acknowledged(done)]),
		...newer.map(({ id, occurrence }) => `${nameOf(id)}: ${words.raisedAgain(occurrence ?? 0)}`),
		...(gone === 0 ? [] : [alarmText().notFound(gone)]),
	];
	lastAct.value = { sentence: sentences.join('. '), failure: null };
	return newer.length === 0 && gone === 0;
}

/**
 * Shelves an alarm. `acts` belongs to the form, so that sending the form again is not a second request. Returns whether the alarm is
 * shelved.
 */
export async function shelve({ id, name }: ListedAlarm, shelf: Schemas['ShelfInput'], acts: Acts): Promise<boolean> {
	const result = await acts.send({ content: shelf }, (header) =>
		resultOf(api.POST('/shelveAlarm/{id}', { params: { path: { id }, header }, body: shelf })),
	);
	return told(result, alarmText().shelved(name));
}

const returns = createActs();

/** Unshelves an alarm. Returns whether that succeeded. */
export async function bringBack({ id, name, shelvedUntil }: ListedAlarm): Promise<boolean> {
	// `shelvedUntil` is part of the content, so that unshelving after another shelving is a new request and no repetition.
	const result = await returns.send({ content: [id, shelvedUntil] }, (header) =>
		resultOf(api.POST('/unshelveAlarm/{id}', { params: { path: { id }, header } })),
	);
	return told(result, alarmText().broughtBack(name));
}

async function told(
	result: { readonly ok: true } | { readonly ok: false; readonly failure: Failure },
	sentence: string,
): Promise<boolean> {
	lastAct.value = result.ok ? { sentence, failure: null } : { sentence: alarmText().notDone, failure: result.failure };
	if (result.ok) await readAlarms();
	return result.ok;
}
