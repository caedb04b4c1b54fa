import { diagramItemKinds, type SymbolKind, shapeKinds } from '#domain/board/symbol-kinds.ts';
import { maxTextLength } from '#domain/validation/input-limits.ts';
import { alarmsOfBinding } from '#page/core/tile-alarm.ts';
import { formatExact } from '#page/format/number.ts';
import { BindingFields } from '#page/parts/binding-fields.tsx';
import { Button } from '#page/parts/button.tsx';
import { Field } from '#page/parts/field.tsx';
import { SegmentedField } from '#page/parts/segmented.tsx';
import { Select } from '#page/parts/select.tsx';
import { TextField } from '#page/parts/text-input.tsx';
import { type DraftSymbol, turns } from '../diagram-draft.ts';
import { wordsOf } from '../symbols/symbol-geometry.ts';
import { diagramText } from '../texts.ts';
import { ActionButton } from './action-button.tsx';
import { drawingActions } from './drawing-actions.ts';
import type { EditProps } from './drawing-edits.ts';
import { leastSize } from './grid.ts';
import { symbolName } from './names.ts';
import { PlaceField } from './place-field.tsx';
import { ScaleFields } from './scale-fields.tsx';
import { canBeBound, drawnSizeOf, hasField, settableSizes, withSymbolChange } from './symbol-edits.ts';
import type { SymbolChange, SymbolPartProps } from './symbol-part.ts';
import { SymbolPipes } from './symbol-pipes.tsx';
import { editText } from './texts.ts';

interface SymbolFormProps extends EditProps {
	readonly symbol: DraftSymbol;
}

/** The form of the selected symbol. */
export function SymbolForm({ symbol, edits, variables }: SymbolFormProps) {
	const text = editText();
	const { id, kind } = symbol;
	const name = symbolName(symbol, edits.editor.content.value, variables);
	const change: SymbolChange = (part) =>
		edits.apply(`${Object.keys(part).join()} ${id}`, (draft) => withSymbolChange(draft, id, part));
	// With a variable, the symbol can only become a kind that shows one.
	const kinds: readonly SymbolKind[] = symbol.varId === null ? shapeKinds : diagramItemKinds;
	const partProps: SymbolPartProps = { symbol, change, variables };
	return (
		<section class="panel form" aria-label={name}>
			<h2>
				{name} <span class="muted">{diagramText().kinds[kind].toLowerCase()}</span>
			</h2>
			{hasField(kind, 'label') && (
				<TextField label={text.label} value={symbol.label} maxLength={maxTextLength} onText={(label) => change({ label })} />
			)}
			<Field label={text.kind}>
				{(ties) => (
					<Select
						{...ties}
						value={kind}
						choices={kinds.map((each) => ({ value: each, label: diagramText().kinds[each] }))}
						onChoose={(next) => change({ kind: next })}
					/>
				)}
			</Field>
			{canBeBound(kind) && <Binding {...partProps} />}
			{hasField(kind, 'scale') && symbol.varId !== null && <ScaleFields key={symbol.varId} {...partProps} />}
			{kind === 'tank' && symbol.varId !== null && <Ticks {...partProps} />}
			<Places {...partProps} />
			<Look {...partProps} />
			{hasField(kind, 'tap') && <Tap {...partProps} />}
			{hasField(kind, 'key') && <SymbolPipes symbol={symbol} edits={edits} variables={variables} />}
			<ActionButton action={drawingActions.copy} edits={edits} />
			<ActionButton action={drawingActions.remove} edits={edits} wide />
		</section>
	);
}

/** The fields for the variable that the symbol shows. */
function Binding({ symbol: { kind, varId, bit }, change }: SymbolPartProps) {
	return (
		<>
			<BindingFields
				binding={{ varId, bit }}
				// The whole byte is shown until a bit is chosen.
				onBind={(binding) => change({ varId: binding.varId, bit: binding.bit === 'choose' ? null : binding.bit })}
				problemOf={() => undefined}
			/>
			{varId !== null && kind !== 'value' && (
				// The bit goes with the variable.
				<Button look="quiet" onClick={() => change({ varId: null })}>
					{editText().unbind}
				</Button>
			)}
		</>
	);
}

/** Lists the thresholds of the tank's alarms, which are drawn on it. */
function Ticks({ symbol: { varId, bit } }: SymbolPartProps) {
	const text = editText();
	const limits = varId === null ? [] : alarmsOfBinding(varId, bit).limits;
	return (
		<div class="field">
			<span class="field-label">{text.ticks}</span>
			<p class="field-hint">{limits.length === 0 ? text.noTicks : limits.map(formatExact).join(' · ')}</p>
		</div>
	);
}

/** The fields for the place and the size of the symbol. */
function Places({ symbol, change }: SymbolPartProps) {
	const text = editText();
	const sizes = settableSizes(symbol.kind);
	const { w, h } = drawnSizeOf(symbol);
	return (
		<div class="columns places">
			<PlaceField label="x" value={symbol.x} onValue={(x) => change({ x })} />
			<PlaceField label="y" value={symbol.y} onValue={(y) => change({ y })} />
			{sizes.w && <PlaceField label={text.width} value={w} range={[leastSize, 1]} onValue={(next) => change({ w: next })} />}
			{sizes.h && <PlaceField label={text.height} value={h} range={[leastSize, 1]} onValue={(next) => change({ h: next })} />}
		</div>
	);
}

const wordSides = ['above', 'below', 'left', 'right'] as const;

/** The choices of how far the symbol is turned, and where its words are. */
function Look({ symbol, change }: SymbolPartProps) {
	const text = editText();
	const { kind, turn } = symbol;
	const shown = wordsOf({ kind, x: symbol.x, y: symbol.y, turn }, symbol.words ?? undefined);
	return (
		<>
			{hasField(kind, 'turn') && (
				<SegmentedField
					label={text.turn}
					value={String(turn)}
					choices={turns.map((each) => ({ value: String(each), label: `${each}°` }))}
					onChoose={(next) => change({ turn: turns.find((each) => String(each) === next) ?? 0 })}
				/>
			)}
			{hasField(kind, 'words') && (
				<SegmentedField
					label={text.words}
					value={shown}
					choices={wordSides.map((side) => ({ value: side, label: text.wordSides[side] }))}
					onChoose={(words) => change({ words })}
				/>
			)}
		</>
	);
}

/** How far the end of a new leader is below its value, as a share of the height of the drawing. */
const leaderLength = 0.1;

/** The fields for the end of the line from a value to what it measures. */
function Tap({ symbol: { x, y, tap }, change }: SymbolPartProps) {
	const text = editText();
	if (tap === null) return <Button onClick={() => change({ tap: [x, Math.min(1, y + leaderLength)] })}>{text.addTap}</Button>;
	return (
		<fieldset class="stack">
			<legend class="field-label">{text.tap}</legend>
			<div class="columns">
				<PlaceField label="x" value={tap[0]} onValue={(next) => change({ tap: [next, tap[1]] })} />
				<PlaceField label="y" value={tap[1]} onValue={(next) => change({ tap: [tap[0], next] })} />
			</div>
			<Button look="quiet" onClick={() => change({ tap: null })}>
				{text.removeTap}
			</Button>
		</fieldset>
	);
}
