import { diagrams, useDefinitions, variables } from '#page/core/definitions.ts';
import { route } from '#page/core/route.ts';
import { commonText } from '#page/i18n/common.ts';
import { ScreenForRole } from '#page/parts/for-role.tsx';
import { Problems } from '#page/parts/problems.tsx';
import { shellText } from '#page/shell/texts.ts';
import { newItem } from './diagram-head.tsx';
import { OpenedDiagram } from './opened-diagram.tsx';
import { diagramText } from './texts.ts';

/** The screen of diagrams, which show live values at their places over a picture of the plant. The address names the shown diagram. */
export function DiagramScreen() {
	const text = diagramText();
	useDefinitions('diagrams', 'variables');
	const rows = diagrams.rows.value;
	const { item } = route.value;
	// An address without an item shows the first diagram.
	const stored = item === newItem ? null : (rows?.find(({ id }) => item === null || String(id) === item) ?? null);
	if (rows === undefined || variables.rows.value === undefined) {
		const failure = diagrams.failure.value ?? variables.failure.value;
		return (
			<>
				<header class="head">
					<h1>{shellText().screens.diagram}</h1>
				</header>
				{failure === null ? (
					<p class="muted">{commonText().reading}</p>
				) : (
					<Problems failure={failure} fallback={text.readFailed} />
				)}
			</>
		);
	}
	const opened = <OpenedDiagram key={stored?.id ?? item} stored={stored} rows={rows} isNew={item === newItem} />;
	return item === newItem ? (
		<ScreenForRole title={shellText().screens.diagram} needs="engineer">
			{opened}
		</ScreenForRole>
	) : (
		opened
	);
}
