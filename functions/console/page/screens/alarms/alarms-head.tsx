import type { Signal } from '@preact/signals';
import { alarms, evaluation, isEvaluationLate } from '#page/core/alarms.ts';
import { now } from '#page/core/clock.ts';
import { canWrite } from '#page/core/poll.ts';
import { goTo, hrefOf } from '#page/core/route.ts';
import { may } from '#page/core/session.ts';
import { formatAge, formatClock, formatUtc } from '#page/format/time.ts';
import { commonText } from '#page/i18n/common.ts';
import { Banner } from '#page/parts/banner.tsx';
import { Button } from '#page/parts/button.tsx';
import { Chip } from '#page/parts/chip.tsx';
import { ForRole } from '#page/parts/for-role.tsx';
import { lateText } from '#page/shell/alarm-line.tsx';
import { shellText } from '#page/shell/texts.ts';
import { type AlarmFilter, type AlarmRow, alarmFilters, passesFilter } from './alarm-rows.ts';
import { alarmText } from './texts.ts';

/** `rows` are all alarms. `onAcknowledge` opens the dialog that acknowledges the alarms that pass the filter. */
interface AlarmsHeadProps {
	readonly rows: readonly AlarmRow[];
	readonly filter: Signal<AlarmFilter>;
	/** A sentence about the last act; '' without one. */
	readonly announcement: string;
	/** How many of the alarms that pass the filter are not acknowledged. */
	readonly unacknowledged: number;
	readonly onAcknowledge: () => void;
}

/** The head of the list: the filters, the time up to which the alarms are evaluated, and the acts on all of them. */
export function AlarmsHead({ rows, filter, announcement, unacknowledged, onAcknowledge }: AlarmsHeadProps) {
	const text = alarmText();
	const isLost = !canWrite.value.ok;
	const until = evaluation.value?.until ?? null;
	return (
		<div class="head">
			<h1>{shellText().screens.alarms}</h1>
			{rows.length > 0 && (
				<fieldset class="chips">
					<legend class="sr">{commonText().showOnly}</legend>
					{alarmFilters.map((name) => (
						<Chip
							key={name}
							count={rows.filter((row) => passesFilter(row, name)).length}
							word={text.filterWords[name]}
							pressed={filter.value === name}
							onToggle={() => {
								filter.value = name;
							}}
						/>
					))}
				</fieldset>
			)}
			<div class="actions">
				<span role="status" class={announcement === '' ? 'sr' : 'muted'}>
					{announcement}
				</span>
				{rows.length > 0 && until !== null && !isEvaluationLate.value && (
					<time class="muted" dateTime={until} title={formatUtc(Date.parse(until))}>
						{text.evaluatedUntil(formatClock(Date.parse(until), { seconds: true }))}
					</time>
				)}
				<ForRole needs="engineer">
					<Button
						look={rows.length === 0 ? 'primary' : undefined}
						disabled={isLost}
						onClick={() => goTo(hrefOf('alarms', 'new'))}
					>
						{text.newAlarm}
					</Button>
				</ForRole>
				{/* A single alarm has its own button in the list. */}
				{unacknowledged > 1 && may('operator') && (
					<Button disabled={isLost} onClick={onAcknowledge}>
						{text.acknowledgeCount(unacknowledged)}
					</Button>
				)}
			</div>
		</div>
	);
}

/** Warns that the states of alarms are out of date, and names the alarms that are not evaluated at all. */
export function EvaluationBanner() {
	const text = alarmText();
	// `unbound` counts alarms that an earlier release saved. They are not evaluated until they are saved again.
	const { until, unbound } = evaluation.value ?? { until: null, unbound: 0 };
	// These may include new alarms, because an alarm has no state before its first evaluation, either.
	const withoutState = (alarms.value ?? []).filter(({ state }) => state === null);
	return (
		<>
			{isEvaluationLate.value && (
				<Banner look="inverse" icon="i-alarm" announcement={lateText()}>
					<b>{lateText()}</b>
					{until !== null && ` (${formatAge(now.value - Date.parse(until))})`}. {until === null ? text.neverHint : text.lateHint}
				</Banner>
			)}
			{unbound > 0 && (
				<Banner look="doubt" icon="q-uncertain">
					{withoutState.length > unbound ? text.unboundAmong(unbound) : text.unbound(unbound)}{' '}
					{withoutState.map(({ id, name }, index) => (
						<span key={id}>
							{index > 0 && ', '}
							<a href={hrefOf('alarms', `${id}-edit`)}>{name}</a>
						</span>
					))}
				</Banner>
			)}
		</>
	);
}
