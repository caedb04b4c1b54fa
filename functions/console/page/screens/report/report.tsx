import { GoneItem } from '#page/changes/gone-item.tsx';
import { addressPlaceOf } from '#page/core/address-place.ts';
import { reports, useDefinitions } from '#page/core/definitions.ts';
import { goTo, hrefOf, route } from '#page/core/route.ts';
import { commonText } from '#page/i18n/common.ts';
import { Button } from '#page/parts/button.tsx';
import { EmptyState } from '#page/parts/empty-state.tsx';
import { ForRole } from '#page/parts/for-role.tsx';
import { Problems } from '#page/parts/problems.tsx';
import { Select } from '#page/parts/select.tsx';
import { shellText } from '#page/shell/texts.ts';
import { ignoresParams, parseReportView } from './report-view.ts';
import { ShownReport } from './shown-report.tsx';
import { reportScreenText } from './texts.ts';

/** The screen `report`: the numbers of a report over a day, a week, a month or a year. */
export function ReportScreen() {
	const text = reportScreenText();
	useDefinitions('reports');
	const rows = reports.rows.value;
	const place = addressPlaceOf(route.value.item);
	// An address that names no report shows the first one.
	const shown = place.kind === 'list' ? rows?.[0] : rows?.find(({ id }) => id === place.id);
	const view = parseReportView(route.value.params);
	const title = (
		<>
			<h1>{shellText().screens.report}</h1>
			{rows !== undefined && rows.length > 0 && (
				<Select
					aria-label={shellText().screens.report}
					value={String(shown?.id ?? '')}
					choices={[
						...rows.map(({ id, title: name }) => ({ value: String(id), label: name })),
						...(shown === undefined ? [{ value: '', label: text.gone }] : []),
					]}
					onChoose={(id) => goTo(hrefOf('report', id, Object.fromEntries(route.value.params)))}
				/>
			)}
		</>
	);
	if (shown !== undefined && shown.lines.length > 0)
		return (
			<ShownReport report={shown} view={view} hasIgnoredParams={ignoresParams(route.value.params, view)}>
				{title}
			</ShownReport>
		);
	return (
		<>
			<header class="head">{title}</header>
			{rows === undefined && reports.failure.value === null && <p class="muted">{commonText().reading}</p>}
			{rows === undefined && reports.failure.value !== null && (
				<Problems
					failure={reports.failure.value}
					fallback={text.listUnread}
					action={<Button onClick={() => void reports.load()}>{commonText().again}</Button>}
				/>
			)}
			{rows?.length === 0 && (
				<EmptyState icon="i-report" title={text.empty}>
					<p>{text.emptyHint}</p>
					<ForRole needs="engineer">
						<a class="btn primary" href={hrefOf('report', 'new')}>
							{text.create}
						</a>
					</ForRole>
				</EmptyState>
			)}
			{shown !== undefined && <p class="panel muted">{text.noLines}</p>}
			{rows !== undefined && shown === undefined && place.kind !== 'list' && (
				<GoneItem kind="report" id={place.id}>
					{text.gone}
				</GoneItem>
			)}
		</>
	);
}
