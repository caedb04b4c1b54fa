import { alarms, evaluation, isEvaluationLate } from '#page/core/alarms.ts';
import { now } from '#page/core/clock.ts';
import { hrefOf } from '#page/core/route.ts';
import { formatAge } from '#page/format/age.ts';
import { Banner } from '#page/parts/banner.tsx';
import { lateText } from '#page/shell/alarm-line.tsx';
import { alarmText } from './texts.ts';

/** Says that the states of alarms are old, and which alarms are not evaluated at all. */
export function EvaluationBanner() {
	const text = alarmText();
	const { until, unbound } = evaluation.value ?? { until: null, unbound: 0 };
	// A new alarm is not evaluated yet, either; only its first evaluation tells it from the others.
	const waiting = (alarms.value ?? []).filter(({ state }) => state === null);
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
					{waiting.length > unbound ? text.unboundAmong(unbound) : text.unbound(unbound)}{' '}
					{waiting.map(({ id, name }, index) => (
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
