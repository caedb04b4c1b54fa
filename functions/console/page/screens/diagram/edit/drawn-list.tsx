import { useSignal } from '@preact/signals';
import { formatNumber } from '#page/format/number.ts';
import { commonText } from '#page/i18n/common.ts';
import { qualityWords } from '#page/i18n/reasons.ts';
import { stateWords } from '#page/i18n/state-words.ts';
import { bindingWords } from '#page/parts/binding-words.ts';
import { DataTable, longTable, type TableColumn } from '#page/parts/data-table.tsx';
import { Segmented } from '#page/parts/segmented.tsx';
import { TextInput } from '#page/parts/text-input.tsx';
import { QualityMark, ValueText } from '#page/parts/value-text.tsx';
import type { DraftPipe, DraftSymbol } from '../diagram-draft.ts';
import { shapeKindOf } from '../symbols/symbol-art.tsx';
import { SymbolIcon } from '../symbols/symbol-icon.tsx';
import { drawnOn, faultOf, flowOf, isCurrent } from '../symbols/symbol-state.ts';
import { useSymbolState } from '../symbols/use-symbol-state.ts';
import { diagramText } from '../texts.ts';
import type { EditProps } from './drawing-edits.ts';
import type { DrawingCounts } from './limits.ts';
import { pipeName, placeText, symbolName } from './names.ts';
import { drawnSizeOf, settableSizes } from './symbol-edits.ts';
import { editText } from './texts.ts';

interface DrawnListProps extends EditProps {
	readonly counts: DrawingCounts;
}

/** Lists all symbols and pipes with their coordinates, so that a drawing can be edited without a mouse. */
export function DrawnList({ edits, variables, counts }: DrawnListProps) {
	const text = editText();
	const shown = useSignal<'items' | 'pipes'>('items');
	const query = useSignal('');
	const { symbols, pipes } = edits.editor.content.value;
	const Rows = shown.value === 'items' ? Items : Pipes;
	return (
		<section class="panel drawn-list">
			<div class="panel-head">
				<h2>{text.everything}</h2>
				<Segmented
					label={text.everything}
					value={shown.value}
					choices={[
						{ value: 'items', label: text.items(symbols.length) },
						{ value: 'pipes', label: text.pipes(pipes.length) },
					]}
					onChoose={(choice) => {
						shown.value = choice;
					}}
				/>
				<span class="muted">
					{text.counts(counts.variables, counts.drawn, formatNumber(counts.bytes / 1000, { decimals: 0 }))}
				</span>
				<TextInput
					aria-label={text.find}
					placeholder={text.find}
					value={query.value}
					onText={(typed) => {
						query.value = typed;
					}}
				/>
			</div>
			{symbols.length === 0 && <p class="muted">{text.emptyList}</p>}
			{symbols.length > 0 && <Rows edits={edits} variables={variables} query={query.value} />}
		</section>
	);
}

interface RowsProps extends EditProps {
	readonly query: string;
}

/** Whether one of the texts contains what is searched for, whatever its case. */
function matches(query: string, ...texts: readonly string[]): boolean {
	return texts.some((text) => text.toLowerCase().includes(query.trim().toLowerCase()));
}

function Items({ edits, variables, query }: RowsProps) {
	const text = editText();
	const draft = edits.editor.content.value;
	const nameIn = (symbol: DraftSymbol): string => symbolName(symbol, draft, variables);
	const rows = draft.symbols.filter((symbol) =>
		matches(query, nameIn(symbol), bindingWords(symbol, variables), diagramText().kinds[symbol.kind]),
	);
	const columns: readonly TableColumn<DraftSymbol>[] = [
		{ key: 'kind', head: <span class="sr">{text.kind}</span>, cell: ({ kind }) => <SymbolIcon kind={kind} /> },
		{ key: 'label', head: text.label, look: 'wide', isRowHead: true, cell: nameIn },
		{ key: 'shows', head: text.shows, look: 'wide', cell: (symbol) => bindingWords(symbol, variables) },
		{ key: 'now', head: commonText().now, cell: (symbol) => <Now key={symbol.id} symbol={symbol} /> },
		{ key: 'x', head: 'x', look: 'end', cell: ({ x }) => placeText(x) },
		{ key: 'y', head: 'y', look: 'end', cell: ({ y }) => placeText(y) },
		{
			key: 'w',
			head: text.width,
			look: 'end',
			cell: (symbol) => settableSizes(symbol.kind).w && placeText(drawnSizeOf(symbol).w),
		},
		{
			key: 'h',
			head: text.height,
			look: 'end',
			cell: (symbol) => settableSizes(symbol.kind).h && placeText(drawnSizeOf(symbol).h),
		},
	];
	return <DrawnRows edits={edits} columns={columns} rows={rows} />;
}

function Pipes({ edits, variables, query }: RowsProps) {
	const text = editText();
	const draft = edits.editor.content.value;
	const nameIn = (pipe: DraftPipe): string => pipeName(pipe, draft, variables);
	const rows = draft.pipes.filter((pipe) => matches(query, nameIn(pipe), bindingWords(pipe, variables)));
	const columns: readonly TableColumn<DraftPipe>[] = [
		{ key: 'ends', head: text.fromAndTo, look: 'wide', isRowHead: true, cell: nameIn },
		{ key: 'flows', head: text.flowsWhen, look: 'wide', cell: (pipe) => bindingWords(pipe, variables) },
		{ key: 'now', head: commonText().now, cell: (pipe) => <FlowNow key={pipe.id} pipe={pipe} /> },
		{ key: 'bends', head: text.bends, look: 'end', cell: ({ via }) => via.length },
	];
	return <DrawnRows edits={edits} columns={columns} rows={rows} />;
}

interface DrawnRowsProps<Row> extends Pick<DrawnListProps, 'edits'> {
	readonly columns: readonly TableColumn<Row>[];
	readonly rows: readonly Row[];
}

/** The rows of one list. The selected row is the symbol or pipe that was selected last in the drawing. */
function DrawnRows<Row extends { readonly id: number }>({ edits, columns, rows }: DrawnRowsProps<Row>) {
	return (
		<DataTable
			caption={editText().everything}
			columns={columns}
			rows={rows}
			keyOf={({ id }) => id}
			selected={edits.selected.value.at(-1)}
			onSelect={({ id }) => edits.choose([id])}
			selectsOnMove
			isLong={rows.length > longTable}
		/>
	);
}

/** The present value or state of a symbol; nothing without a variable. */
function Now({ symbol: { kind, varId, bit } }: { readonly symbol: DraftSymbol }) {
	const state = useSymbolState(varId, bit, kind);
	const fault = faultOf(state);
	if (state.quality === null) return null;
	if (fault !== null) return <QualityMark quality={fault} word={[qualityWords()[fault], state.age ?? ''].join(' ').trim()} />;
	if (state.isOn === undefined) return <ValueText text={state.text} unit={state.unit} current={isCurrent(state)} size="cell" />;
	const words = stateWords();
	const on = drawnOn(state);
	return <>{on === null ? words.unknown : words[shapeKindOf(kind)][on ? 'on' : 'off']}</>;
}

/** The present flow of a pipe; nothing while the flow is `bare`, which means that the pipe shows no mark. */
function FlowNow({ pipe: { varId, bit, over } }: { readonly pipe: DraftPipe }) {
	const flow = flowOf(useSymbolState(varId, bit), over);
	return <>{flow === 'bare' ? '' : diagramText().flows[flow]}</>;
}
