import { useRef } from 'preact/hooks';
import type { Variable } from '#page/core/definitions.ts';
import type { DraftEditor } from '#page/core/draft-editor.ts';
import { formatNumber } from '#page/format/number.ts';
import { commonText } from '#page/i18n/common.ts';
import { Combobox } from '#page/parts/combobox.tsx';
import { DataTable } from '#page/parts/data-table.tsx';
import { Field } from '#page/parts/field.tsx';
import { TextInput } from '#page/parts/text-input.tsx';
import { variableOptions } from '#page/parts/variable-options.ts';
import { type DiagramDraft, maxDiagramVariables } from './diagram-draft.ts';
import { labelOf } from './item-content.tsx';
import { ItemForm } from './item-form.tsx';
import { diagramText } from './texts.ts';
import type { DiagramEdits } from './use-diagram-edits.ts';

interface DiagramSideProps {
	readonly editor: DraftEditor<DiagramDraft>;
	readonly edits: DiagramEdits;
	readonly variables: ReadonlyMap<number, Variable>;
}

/** Beside the drawing while it is edited: the form of the selected item, a search for more, and the list of all. */
export function DiagramSide({ editor, edits, variables }: DiagramSideProps) {
	const { selected } = edits;
	const draft = editor.content.value;
	const titleError = editor.said.value.get('title')?.code === 'empty' ? commonText().titleMissing : null;
	const text = diagramText();
	const search = useRef<HTMLElement>(null);
	const isFull = new Set(draft.items.map(({ varId }) => varId)).size >= maxDiagramVariables;
	return (
		<div class="stack">
			{selected !== null && (
				<ItemForm
					key={selected.key}
					item={selected}
					variables={variables}
					onChange={(part) => edits.change(selected.key, part)}
					onRemove={() => edits.remove(selected.key)}
				/>
			)}
			<section ref={search} class="panel form">
				<Field label={commonText().title} error={titleError}>
					{(ties) => <TextInput {...ties} value={draft.title} maxLength={200} onText={(title) => editor.change({ title })} />}
				</Field>
				<Field label={text.addValue} hint={isFull ? text.full(maxDiagramVariables) : undefined}>
					{(ties) => (
						<Combobox
							key={draft.items.length}
							ties={ties}
							listLabel={commonText().variables}
							value={null}
							options={variableOptions(variables.values())}
							onChoose={(value) => {
								edits.add(Number(value));
								// The search begins anew, ready for the next value.
								requestAnimationFrame(() => search.current?.querySelector<HTMLElement>('[role=combobox]')?.focus());
							}}
							emptyText={commonText().nothingMatches}
							moreText={commonText().moreVariables}
							disabled={isFull}
						/>
					)}
				</Field>
			</section>
			<section class="panel">
				<div class="panel-head">
					<h2>{text.values}</h2>
					<span class="muted">{draft.items.length}</span>
				</div>
				<DataTable
					caption={text.values}
					columns={[
						{
							key: 'label',
							head: text.label,
							look: 'wide',
							isRowHead: true,
							cell: (item) => labelOf(item, variables.get(item.varId)),
						},
						{ key: 'x', head: 'x', look: 'end', cell: ({ x }) => formatNumber(x, 2) },
						{ key: 'y', head: 'y', look: 'end', cell: ({ y }) => formatNumber(y, 2) },
					]}
					rows={draft.items}
					keyOf={({ key }) => key}
					selected={selected?.key ?? null}
					onSelect={({ key }) => edits.select(key)}
				/>
			</section>
			<p class="muted">{text.backgroundNote}</p>
		</div>
	);
}
