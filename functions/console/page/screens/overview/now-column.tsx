import { markedStateOf } from '#page/core/alarm-state.ts';
import { isEvaluationLate, openAlarms } from '#page/core/alarms.ts';
import type { Variable } from '#page/core/definitions.ts';
import { type Quality, readingOf } from '#page/core/readings.ts';
import { hrefOf, trendHrefOf } from '#page/core/route.ts';
import { shownOf, worstFirst } from '#page/core/shown.ts';
import { useStable } from '#page/core/use-stable.ts';
import { formatClock, formatUtc } from '#page/format/time.ts';
import { alarmMarkLabel } from '#page/i18n/alarm-states.ts';
import { commonText } from '#page/i18n/common.ts';
import { qualityWords, reasonText } from '#page/i18n/reasons.ts';
import { AlarmMark } from '#page/parts/alarm-mark.tsx';
import { AlarmExcess, AlarmSince } from '#page/parts/alarm-since.tsx';
import { Icon } from '#page/parts/icon.tsx';
import { lateText } from '#page/shell/alarm-line.tsx';
import { shellText } from '#page/shell/texts.ts';
import { overviewText } from './texts.ts';

/** How many alarms and how many faults are listed. */
const maxListed = 12;

/** What needs somebody now, beside the tiles of a wide screen: the alarms that are active or not acknowledged, then what is wrong with the data. */
export function NowColumn({ variables }: { readonly variables: ReadonlyMap<number, Variable> }) {
	return (
		<aside class="now" aria-label={commonText().now}>
			<h2>{commonText().now}</h2>
			<OpenAlarms />
			<h2>{commonText().data}</h2>
			<DataFaults variables={variables} />
		</aside>
	);
}

function OpenAlarms() {
	const open = openAlarms.value;
	if (open.length === 0) return <p class="muted">{isEvaluationLate.value ? lateText() : shellText().noAlarms}</p>;
	return (
		<ul>
			{isEvaluationLate.value && <li class="strong">{lateText()}</li>}
			{open.slice(0, maxListed).map((alarm) => (
				<li key={alarm.id}>
					<AlarmMark
						severity={alarm.severity}
						state={markedStateOf(alarm)}
						label={alarmMarkLabel(alarm.severity, markedStateOf(alarm))}
					/>
					<a class="strong" href={hrefOf('alarms', alarm.id)}>
						{alarm.name}
					</a>
					<small>
						<AlarmExcess alarm={alarm} /> <AlarmSince since={alarm.since} />
					</small>
				</li>
			))}
			<More count={open.length - maxListed} />
		</ul>
	);
}

function DataFaults({ variables }: { readonly variables: ReadonlyMap<number, Variable> }) {
	const faults = useStable(
		() =>
			[...variables.values()]
				.flatMap(({ id, name }) => {
					const reading = readingOf(id).value;
					return reading === undefined || reading.quality === 'good' ? [] : [{ id, name, shown: shownOf(reading) }];
				})
				.toSorted((a, b) => faultRank(a.shown.quality) - faultRank(b.shown.quality)),
		[variables],
	).value;
	if (faults.length === 0) return <p class="muted">{overviewText().noFaults}</p>;
	return (
		<ul>
			{faults.slice(0, maxListed).map(({ id, name, shown }) => (
				<li key={id}>
					<Icon name={`q-${shown.quality}`} class="violet" />
					<a class="violet" href={trendHrefOf(id)}>
						{name}
					</a>
					{shown.at !== null && (
						<time class="violet" dateTime={new Date(shown.at).toISOString()} title={formatUtc(shown.at)}>
							{formatClock(shown.at)}
						</time>
					)}
					<small>
						{qualityWords()[shown.quality]}
						{shown.reason !== null && `: ${reasonText(shown.reason, { ownName: name })}`}
					</small>
				</li>
			))}
			<More count={faults.length - maxListed} />
		</ul>
	);
}

/** How many more there are; nothing if all are listed. */
function More({ count }: { readonly count: number }) {
	return count > 0 ? <li class="muted">{commonText().more(count)}</li> : null;
}

function faultRank(quality: Quality): number {
	return worstFirst.indexOf(quality);
}
