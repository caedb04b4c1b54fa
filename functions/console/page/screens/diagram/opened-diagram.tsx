import { useSignal } from '@preact/signals';
import { ChangesButton, ChangesPanel } from '#page/changes/changes-panel.tsx';
import { GoneItem } from '#page/changes/gone-item.tsx';
import { addressPlaceOf } from '#page/core/address-place.ts';
import { variables } from '#page/core/definitions.ts';
import { useReadings } from '#page/core/readings.ts';
import { route } from '#page/core/route.ts';
import { session } from '#page/core/session.ts';
import { EmptyState } from '#page/parts/empty-state.tsx';
import { lazyScreen } from '#page/shell/lazy-screen.tsx';
import { DiagramHead, type DiagramMode, type OpenedDiagramProps, type ShownDiagramProps } from './diagram-head.tsx';
import { DiagramView } from './diagram-view.tsx';
import { readKeptBackground } from './kept-background.ts';
import { variablesOf } from './symbols/drawn-diagram.ts';
import { diagramText } from './texts.ts';

const EditedDiagram = lazyScreen(async () => (await import('./edit/edited-diagram.tsx')).EditedDiagram, ViewedDiagram);

/**
 * The opened diagram. The code of the editor is loaded when somebody begins to edit. The editor stays until another diagram is opened, so
 * that going back to viewing keeps the draft.
 */
export function OpenedDiagram({ stored, rows, isNew }: OpenedDiagramProps) {
	const mode = useSignal<DiagramMode>(isNew ? 'edit' : 'view');
	const wasEdited = useSignal(isNew);
	const choose = (next: DiagramMode): void => {
		mode.value = next;
		wasEdited.value ||= next === 'edit';
	};
	const shown = { stored, rows, isNew, mode: mode.value, onMode: choose };
	return wasEdited.value ? <EditedDiagram {...shown} /> : <ViewedDiagram {...shown} />;
}

function ViewedDiagram({ stored, rows, ...shown }: ShownDiagramProps) {
	const text = diagramText();
	const showsChanges = useSignal(false);
	const place = addressPlaceOf(route.value.item);
	useReadings(stored === null ? [] : variablesOf(stored));
	if (stored === null)
		return (
			<>
				<DiagramHead stored={stored} rows={rows} {...shown} />
				{rows.length === 0 && (
					<EmptyState icon="i-diagram" title={text.noDiagrams}>
						<p>{text.noDiagramsText}</p>
					</EmptyState>
				)}
				{route.value.item !== null && (
					<GoneItem kind="diagram" id={place.kind === 'detail' ? place.id : null}>
						{text.notFound}
					</GoneItem>
				)}
			</>
		);
	const background = stored.background ?? readKeptBackground(session.value?.schema ?? '', stored.id);
	return (
		<>
			<DiagramHead stored={stored} rows={rows} {...shown}>
				<ChangesButton isOpen={showsChanges} />
			</DiagramHead>
			<DiagramView content={stored} variables={variables.rows.value ?? new Map()} background={background} />
			<ChangesPanel kind="diagram" itemId={stored.id} isOpen={showsChanges} />
		</>
	);
}
