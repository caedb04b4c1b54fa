import { panel, useDefinitions } from '#page/core/definitions.ts';
import { hrefOf, route } from '#page/core/route.ts';
import { Button } from '#page/parts/button.tsx';
import { EmptyState } from '#page/parts/empty-state.tsx';
import { Problems } from '#page/parts/problems.tsx';
import { shellText } from '#page/shell/texts.ts';
import { PanelEditor } from './panel-editor.tsx';
import { PanelView } from './panel-view.tsx';
import { stationText } from './texts.ts';

/** The screen `station`: the pump panel, to be read and to be edited. */
export function Station() {
	useDefinitions('panel', 'variables');
	const stored = panel.rows.value;
	const failure = panel.failure.value;
	if (stored !== undefined && route.value.item === 'edit') return <PanelEditor stored={stored} />;
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
						<Button icon="i-refresh" onClick={() => void panel.load()}>
							{text.again}
						</Button>
					</p>
				</>
			)}
			{stored === null && (
				<EmptyState icon="i-station" title={text.empty}>
					<p>{text.emptyHint}</p>
					<a class="btn primary" href={hrefOf('station', 'edit')}>
						{text.setUp}
					</a>
				</EmptyState>
			)}
		</>
	);
}
