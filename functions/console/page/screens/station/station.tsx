import { panel, useDefinitions, variables } from '#page/core/definitions.ts';
import { hrefOf, route } from '#page/core/route.ts';
import { commonText } from '#page/i18n/common.ts';
import { Button } from '#page/parts/button.tsx';
import { EmptyState, NoVariables } from '#page/parts/empty-state.tsx';
import { ForRole, ScreenForRole } from '#page/parts/for-role.tsx';
import { Problems } from '#page/parts/problems.tsx';
import { shellText } from '#page/shell/texts.ts';
import { PanelEditor } from './panel-editor.tsx';
import { PanelView } from './panel-view.tsx';
import { stationText } from './texts.ts';

/** The screen `station`: the pump panel, and its editor. */
export function Station() {
	useDefinitions('variables');
	const known = variables.rows.value;
	// Without variables there is no panel to read. The request would be answered with 404, which browsers report as an error.
	useDefinitions(...(known === undefined || known.size === 0 ? [] : (['panel'] as const)));
	const stored = panel.rows.value;
	const failure = variables.failure.value ?? panel.failure.value;
	const isWithoutVariables = known?.size === 0 && (stored === undefined || stored === null);
	if (stored !== undefined && !isWithoutVariables && route.value.item === 'edit')
		return (
			<ScreenForRole title={shellText().screens.station} needs="engineer">
				<PanelEditor stored={stored} />
			</ScreenForRole>
		);
	if (stored !== undefined && stored !== null) return <PanelView panel={stored} />;
	const text = stationText();
	return (
		<>
			<div class="head">
				<h1>{shellText().screens.station}</h1>
			</div>
			{failure !== null && (
				<>
					<Problems failure={failure} fallback={text.failed} />
					<p>
						<Button icon="i-refresh" onClick={() => void (known === undefined ? variables : panel).load()}>
							{commonText().again}
						</Button>
					</p>
				</>
			)}
			{isWithoutVariables && <NoVariables icon="i-station" hint={text.needsVariable} />}
			{stored === null && !isWithoutVariables && (
				<EmptyState icon="i-station" title={text.empty}>
					<p>{text.emptyHint}</p>
					<ForRole needs="engineer">
						<a class="btn primary" href={hrefOf('station', 'edit')}>
							{text.setUp}
						</a>
					</ForRole>
				</EmptyState>
			)}
		</>
	);
}
