import { useSignal } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import { minuteMs } from '#domain/milliseconds.ts';
import { maxCommentLength } from '#domain/validation/input-limits.ts';
import { createActs } from '#page/core/acts.ts';
import type { ListedAlarm } from '#page/core/alarms.ts';
import { now } from '#page/core/clock.ts';
import { canWrite } from '#page/core/poll.ts';
import { may } from '#page/core/session.ts';
import { parseShelfMinutes, type ShelfChoice, shelfChoices } from '#page/format/typed-number.ts';
import { actorWords } from '#page/i18n/actor-words.ts';
import { clockOrDay } from '#page/parts/alarm-since.tsx';
import { Button } from '#page/parts/button.tsx';
import { ForRole } from '#page/parts/for-role.tsx';
import { SegmentedField } from '#page/parts/segmented.tsx';
import { TextField } from '#page/parts/text-input.tsx';
import { bringBack, shelve } from './alarm-acts.ts';
import { alarmText } from './texts.ts';

/** Shelves an alarm for some minutes with a reason, or unshelves it. */
export function ShelveForm({ alarm }: { readonly alarm: ListedAlarm }) {
	const text = alarmText();
	const reason = useSignal('');
	const choice = useSignal<ShelfChoice>('60');
	/** The typed minutes, for the choice `own`. */
	const ownMinutes = useSignal('');
	const isRunning = useSignal(false);
	const acts = useMemo(createActs, []);
	/** For how long to shelve; null if the typed text is not a number of minutes. */
	const minutes = choice.value === 'own' ? parseShelfMinutes(ownMinutes.value) : Number(choice.value);
	const isLost = !canWrite.value.ok;
	const isReady = minutes !== null && reason.value.trim() !== '' && !isRunning.value;
	const send = async (): Promise<void> => {
		if (!isReady || isLost) return;
		isRunning.value = true;
		const isShelved = await shelve(alarm, { minutes, reason: reason.value.trim() }, acts);
		isRunning.value = false;
		if (isShelved) reason.value = '';
	};
	if (!may('operator')) return <PresentShelf alarm={alarm} />;
	return (
		<form
			class="form shelf"
			noValidate
			onSubmit={(event) => {
				event.preventDefault();
				void send();
			}}
		>
			<h3>{text.shelfTitle}</h3>
			<PresentShelf alarm={alarm} />
			<TextField
				label={text.shelfReason}
				name="reason"
				required
				maxLength={maxCommentLength}
				value={reason.value}
				disabled={isLost}
				onText={(typed) => {
					reason.value = typed;
				}}
			/>
			<SegmentedField
				label={text.shelfFor}
				value={choice.value}
				disabled={isLost}
				choices={shelfChoices.map((value) => ({ value, label: value === 'own' ? text.ownMinutes : `${value} min` }))}
				onChoose={(next) => {
					choice.value = next;
				}}
			/>
			{choice.value === 'own' && (
				<TextField
					label={text.minutes}
					error={ownMinutes.value !== '' && minutes === null ? text.wrongMinutes : null}
					inputMode="numeric"
					value={ownMinutes.value}
					disabled={isLost}
					onText={(typed) => {
						ownMinutes.value = typed;
					}}
				/>
			)}
			{minutes !== null && <p class="field-hint">{text.shelfEnds(clockOrDay(now.value + minutes * minuteMs))}</p>}
			<Button type="submit" wide disabled={isLost} aria-disabled={!isReady}>
				{minutes === null ? text.shelve : text.shelveFor(minutes)}
			</Button>
		</form>
	);
}

/** Says who shelved the alarm, until when and why, and has the button that unshelves it. */
function PresentShelf({ alarm }: { readonly alarm: ListedAlarm }) {
	const text = alarmText();
	if (alarm.shelvedUntil === null) return null;
	const who = actorWords(alarm.actors.shelvedBy);
	return (
		<>
			<p>{text.shelvedBy(who, clockOrDay(Date.parse(alarm.shelvedUntil)), alarm.reason ?? '')}</p>
			<ForRole needs="operator">
				<div class="buttons">
					<Button disabled={!canWrite.value.ok} onClick={() => void bringBack(alarm)}>
						{text.bringBack}
					</Button>
				</div>
			</ForRole>
		</>
	);
}
