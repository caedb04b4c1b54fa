import { activeAlarms, alarms } from '#page/core/alarms.ts';
import { variables } from '#page/core/definitions.ts';
import { hrefOf, route } from '#page/core/route.ts';
import { conditionSign } from '#page/format/condition.ts';
import { decimalsOfVariable } from '#page/format/decimals.ts';
import { formatExact, formatNumber } from '#page/format/number.ts';
import { AlarmMark } from '#page/parts/alarm-mark.tsx';
import { shellText } from './texts.ts';

/** The line above every screen but Alarms: the worst active alarm, and how many there are of each severity. */
export function AlarmLine() {
	const text = shellText();
	if (route.value.screen === 'alarms') return null;
	const [worst] = activeAlarms.value;
	return (
		<section class="alarm-line" aria-label={text.activeAlarms}>
			{worst === undefined ? (
				<p class="muted">{alarms.value === undefined ? text.alarmsUnknown : text.noAlarms}</p>
			) : (
				<div class="alarm-worst">
					<AlarmMark severity={worst.severity} state="active_acknowledged" />
					<b>{worst.name}</b>
					{worst.value !== null && (
						<span class="num">
							{formatNumber(worst.value, decimalsOfVariable(worst.varId))} {conditionSign(worst.condition)}{' '}
							{formatExact(worst.threshold)}{' '}
							{worst.bit === null || worst.bit === undefined ? variables.rows.value?.get(worst.varId)?.unit : ''}
						</span>
					)}
					<a class="btn small" href={hrefOf('alarms', worst.id)}>
						{text.show}
					</a>
				</div>
			)}
			<AlarmCounts />
		</section>
	);
}

/** How many alarms are active, by severity. */
export function AlarmCounts() {
	const text = shellText();
	return (
		<ul class="alarm-counts">
			{(['critical', 'warning', 'info'] as const).map((severity) => {
				const count = activeAlarms.value.filter((alarm) => alarm.severity === severity).length;
				return (
					<li key={severity} class={count === 0 ? 'zero' : undefined} title={text.severities[severity]}>
						<AlarmMark severity={severity} state="active_acknowledged" />
						<span class="sr">{text.severities[severity]}: </span>
						{count}
					</li>
				);
			})}
		</ul>
	);
}
