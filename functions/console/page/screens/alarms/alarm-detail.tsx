import { type ReadonlySignal, useComputed, useSignal } from '@preact/signals';
import { ChangesButton, ChangesPanel } from '#page/changes/changes-panel.tsx';
import { isForNoData, isRaised, isUnacknowledged } from '#page/core/alarm-state.ts';
import type { ListedAlarm } from '#page/core/alarms.ts';
import { readAlarms } from '#page/core/alarms.ts';
import { now } from '#page/core/clock.ts';
import { variables } from '#page/core/definitions.ts';
import { deleteStored } from '#page/core/deletions.ts';
import { alarmHour } from '#page/core/past/kept-pasts.ts';
import { useWhileLive } from '#page/core/past/past-store.ts';
import { showsOutdated } from '#page/core/poll.ts';
import { readingOf, useReadings } from '#page/core/readings.ts';
import { hrefOf, trendHrefOf } from '#page/core/route.ts';
import { may } from '#page/core/session.ts';
import { shownOf } from '#page/core/shown.ts';
import { bitsOf } from '#page/core/variable-kind.ts';
import { DeleteButton, DeleteDialog } from '#page/editing/deletion.tsx';
import { formatAge, formatUtc } from '#page/format/time.ts';
import { alarmStateText, conditionWords } from '#page/i18n/alarm-states.ts';
import { commonText } from '#page/i18n/common.ts';
import { qualityWords, reasonText } from '#page/i18n/reasons.ts';
import { clockOrDay, limitWords } from '#page/parts/alarm-since.tsx';
import { Fact } from '#page/parts/fact.tsx';
import { ForRole } from '#page/parts/for-role.tsx';
import { QualityMark, ValueText } from '#page/parts/value-text.tsx';
import { AcknowledgeForm } from './acknowledge.tsx';
import { type AlarmCellProps, AlarmState, AlarmStateNotes, SeverityMark } from './alarm-cells.tsx';
import { type AlarmRow, rowNumber, watchedBit } from './alarm-rows.ts';
import { useOccurrenceOfDay } from './journal-requests.ts';
import { ShelveForm } from './shelve-form.tsx';
import { SpanChart } from './span-chart.tsx';
import { alarmText } from './texts.ts';
import { type WatchedPast, watchedPastOf } from './watched-past.ts';

/** `onDeleted` gets the name of the deleted alarm. */
interface AlarmDetailProps {
	readonly row: AlarmRow;
	readonly onDeleted: (name: string) => void;
}

/** The details of one alarm: its message, its value beside the threshold, its last hour, and the acts on it. */
export function AlarmDetail({ row, onDeleted }: AlarmDetailProps) {
	const text = alarmText();
	const { alarm } = row;
	const isDeleting = useSignal(false);
	const showsChanges = useSignal(false);
	useReadings([alarm.varId]);
	const hour = useAlarmHour(alarm).value;
	/** The typed comment. It is kept here, because the form is removed while nothing is to be acknowledged. */
	const comment = useSignal('');
	return (
		<div class="stack">
			<section class="panel form" aria-label={alarm.name}>
				<div class="alarm-title line">
					<SeverityMark row={row} />
					<div>
						<h2 tabIndex={-1} data-title>
							{alarm.name}
						</h2>
						<span>
							{alarmStateText().severities[alarm.severity]} · <AlarmState row={row} />
						</span>
						<span class="two-lines">
							<AlarmStateNotes row={row} />
						</span>
					</div>
				</div>
				<p class="advice">{alarm.message}</p>
				<WatchedValue row={row} />
				<HourChart row={row} hour={hour} />
				{variables.rows.value?.get(alarm.varId)?.calc === true && <p class="field-hint">{text.ofFormula}</p>}
				<AlarmFacts row={row} />
				{isUnacknowledged(alarm) && may('operator') && <AcknowledgeForm alarm={alarm} comment={comment} />}
				<div class="buttons">
					<a class="btn" href={trendHrefOf(alarm.varId)}>
						{commonText().trend}
					</a>
					<ChangesButton isOpen={showsChanges} />
					<ForRole needs="engineer">
						<a class="btn" href={hrefOf('alarms', `${alarm.id}-edit`)}>
							{commonText().edit}
						</a>
						<DeleteButton isDeleting={isDeleting} />
					</ForRole>
				</div>
				{/* A disabled alarm is not raised, so it needs no shelf. People below the role operator see only the present shelf. */}
				{row.state !== 'disabled' && <ShelveForm alarm={alarm} />}
				{isDeleting.value && (
					<DeleteDialog
						name={alarm.name}
						remove={() => deleteStored('/deleteAlarm/{id}', alarm)}
						onDeleted={() => void readAlarms().then(() => onDeleted(alarm.name))}
						// Shows the newest version, so that the person sees it before deleting the alarm.
						onChanged={() => void readAlarms()}
						onClose={() => {
							isDeleting.value = false;
						}}
					>
						<p class="dialog-text">{text.deleteText}</p>
					</DeleteDialog>
				)}
			</section>
			<ChangesPanel kind="alarm" itemId={alarm.id} isOpen={showsChanges} />
		</div>
	);
}

/** The newest value beside the threshold, its age, and its quality if that is not good. */
function WatchedValue({ row }: AlarmCellProps) {
	const { alarm, quality, unit } = row;
	const reading = readingOf(alarm.varId).value;
	const shown = reading === undefined ? null : shownOf(reading);
	const age = shown === null || shown.at === null ? null : formatAge(now.value - shown.at);
	return (
		<>
			<p>
				<ValueText text={rowNumber(row)} unit={unit} size="huge" current={quality === 'good' && !showsOutdated.value} />{' '}
				<span class="muted">
					· {limitWords({ ...alarm, isForNoData: isForNoData(alarm) }, unit)}
					{age !== null && ` · ${age}`}
				</span>
			</p>
			{quality !== 'good' && (
				<p class="reason">
					<QualityMark quality={quality} word={qualityWords()[quality]} />
					{shown !== null && shown.reason !== null && ` · ${reasonText(shown.reason, { ownName: row.variable, age })}`}
				</p>
			)}
		</>
	);
}

/**
 * The last hour of an alarm: the times at which its condition held, and a line at the time when it was raised. `hour` is null until it
 * was read.
 */
function HourChart({ row: { alarm, unit }, hour }: { readonly row: AlarmRow; readonly hour: WatchedPast | null }) {
	const [from, to] = [hour?.bounds[0] ?? 0, hour?.bounds.at(-1) ?? 0];
	const raisedAt = isRaised(alarm) && alarm.since !== null ? Date.parse(alarm.since) : null;
	return (
		<SpanChart
			label={alarmText().lastHour}
			severity={alarm.severity}
			from={from}
			to={to}
			past={hour}
			threshold={alarm.threshold}
			spans={hour?.held ?? []}
			gaps={hour?.gaps ?? []}
			mark={raisedAt !== null && raisedAt >= from && raisedAt <= to ? raisedAt : null}
			caption={conditionWords(alarm, unit)}
		>
			<p class="field-hint">{alarmHour.hasFailed(alarm.varId) ? alarmText().hourFailed : hourText(hour)}</p>
		</SpanChart>
	);
}

/** Follows the last hour of an alarm while the component is on the screen and the service answers; null until it was read. */
function useAlarmHour({ varId, bit, condition, threshold }: ListedAlarm): ReadonlySignal<WatchedPast | null> {
	useWhileLive((nowMs) => void alarmHour.refresh([varId], nowMs));
	return useComputed(() => {
		const hour = alarmHour.of(varId).value;
		return hour === undefined ? null : watchedPastOf(hour, { bit: bit ?? null, condition, threshold });
	});
}

/**
 * Says in words how long the condition held in the last hour: the length of all windows at whose end it held (`held`), and whether it also
 * held for a moment within another window, of which no length is known (`heldAtTimes`).
 */
function hourText(hour: WatchedPast | null): string {
	if (hour === null) return commonText().reading;
	const { values, held, heldAtTimes } = hour;
	const text = alarmText();
	if (values.every((value) => value === null)) return text.noHistory;
	if (held.length === 0) return `${text.lastHour}: ${heldAtTimes ? text.heldAtTimes : text.neverHeld}`;
	const heldMs = held.reduce((sum, { from, to }) => sum + to - from, 0);
	const heldText = text.held(formatAge(heldMs), held.length);
	return `${text.lastHour}: ${heldAtTimes ? text.heldMore(heldText) : heldText}`;
}

/** The facts of an alarm: what it watches, since when it is in its state, and how often it was raised. */
function AlarmFacts({ row: { alarm, unit, variable } }: AlarmCellProps) {
	const text = alarmText();
	const ordinalOfDay = useOccurrenceOfDay(alarm);
	const bit = watchedBit(alarm);
	return (
		<dl class="facts">
			<Fact term={commonText().variable}>
				{variable === null ? text.noVariable(alarm.varId) : <a href={hrefOf('variables', alarm.varId)}>{variable}</a>}
			</Fact>
			<Fact term={commonText().bit}>{bit === null ? null : bitName(alarm.varId, bit)}</Fact>
			{alarm.since !== null && (
				<Fact term={text.sinceHead}>
					<time dateTime={alarm.since} title={formatUtc(Date.parse(alarm.since))}>
						{clockOrDay(Date.parse(alarm.since))} · {formatAge(now.value - Date.parse(alarm.since))}
					</time>
				</Fact>
			)}
			{alarm.occurrence > 0 && (
				<Fact term={text.occurrenceHead}>
					{alarm.occurrence}
					{ordinalOfDay !== null && ` · ${text.ofToday(ordinalOfDay)}`}
				</Fact>
			)}
			<Fact term={text.condition}>{conditionWords(alarm, unit)}</Fact>
		</dl>
	);
}

/** The position of a bit with its name. */
function bitName(varId: number, bit: number): string {
	const named = bitsOf(variables.rows.value?.get(varId)).find((candidate) => candidate.bit === bit);
	return named === undefined ? String(bit) : `${bit} · ${named.name}`;
}
