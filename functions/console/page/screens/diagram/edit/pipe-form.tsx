import { maxBends } from '#domain/board/symbol-kinds.ts';
import { commonText } from '#page/i18n/common.ts';
import { BindingFields } from '#page/parts/binding-fields.tsx';
import { Button } from '#page/parts/button.tsx';
import { Checkbox } from '#page/parts/checkbox.tsx';
import type { DraftPipe } from '../diagram-draft.ts';
import type { PipeEnd } from '../symbols/pipe-geometry.ts';
import type { Point } from '../symbols/symbol-geometry.ts';
import { flowOf, isCurrent } from '../symbols/symbol-state.ts';
import { useSymbolState } from '../symbols/use-symbol-state.ts';
import { diagramText } from '../texts.ts';
import { ActionButton } from './action-button.tsx';
import { drawingActions } from './drawing-actions.ts';
import type { EditProps } from './drawing-edits.ts';
import { pipeName } from './names.ts';
import { type PipePort, placeOfPort, symbolAt, withBends, withPipeEnd, withPipeTurned } from './pipe-edits.ts';
import { anyNumber, PlaceField } from './place-field.tsx';
import { PortFields } from './port-fields.tsx';
import { withPipeChange } from './symbol-edits.ts';
import { editText } from './texts.ts';

interface PipeFormProps extends EditProps {
	readonly pipe: DraftPipe;
}

/** The form of the selected pipe: its ends, its bends, and the condition under which water flows. */
export function PipeForm({ pipe, edits, variables }: PipeFormProps) {
	const text = editText();
	const { id } = pipe;
	const draft = edits.editor.content.value;
	const name = pipeName(pipe, draft, variables);
	/** Changes fields of the pipe. The act is named after them, so that typing into one field is one step of undo. */
	const change = (part: Partial<DraftPipe>): void =>
		void edits.apply(`${Object.keys(part).join()} ${id}`, (before) => withPipeChange(before, id, part));
	const fieldsOfEnd = (which: 'from' | 'to') => (
		<PortFields
			label={commonText()[which]}
			port={portAt(pipe[which], symbolAt(draft, pipe[which])?.id)}
			other={symbolAt(draft, pipe[which === 'from' ? 'to' : 'from'])?.id}
			draft={draft}
			variables={variables}
			onPort={(port) => edits.apply(`${which} ${id}`, (before) => withPipeEnd(before, id, which, port))}
		/>
	);
	return (
		<section class="panel form" aria-label={name}>
			<h2>
				{name} <span class="muted">{drawingActions.pipe.label().toLowerCase()}</span>
			</h2>
			{fieldsOfEnd('from')}
			{fieldsOfEnd('to')}
			<Bends pipe={pipe} edits={edits} />
			<Flow pipe={pipe} change={change} variables={variables} />
			<Checkbox label={text.thin} checked={pipe.isThin} onToggle={(isThin) => change({ isThin })} />
			<div class="columns">
				<Button onClick={() => edits.once(`turn round ${id}`, (before) => withPipeTurned(before, id))}>{text.turnRound}</Button>
				<ActionButton action={drawingActions.remove} edits={edits} />
			</div>
		</section>
	);
}

/** Returns the port at an end of a pipe; null if the symbol of the end is missing. */
function portAt([, side, at]: PipeEnd, symbol: number | undefined): PipePort | null {
	return symbol === undefined ? null : { symbol, side, at: at ?? null };
}

/** The fields for the bends of a pipe. */
function Bends({ pipe: { id, from, to, via }, edits }: Omit<PipeFormProps, 'variables'>) {
	const text = editText();
	const draft = edits.editor.content.value;
	/** Changes the bends. Consecutive changes are one step of undo, until `edits.endUndoStep()` ends it. */
	const change = (next: readonly Point[]): void => void edits.apply(`bends ${id}`, (before) => withBends(before, id, next));
	const placeAt = (end: PipeEnd): Point | null => {
		const port = portAt(end, symbolAt(draft, end)?.id);
		return port === null ? null : placeOfPort(draft, port);
	};
	/** Adds a bend between the last bend and the end of the pipe. It is level with the last bend, and above or below the end. */
	const add = (): void => {
		const [start, end] = [via.at(-1) ?? placeAt(from), placeAt(to)];
		if (start !== null && end !== null) change([...via, [end[0], start[1]]]);
		edits.endUndoStep();
	};
	return (
		<fieldset class="stack">
			<legend class="field-label">{text.bends}</legend>
			{via.map(([x, y], index) => (
				// biome-ignore lint/suspicious/noArrayIndexKey: a bend is told apart by its number.
				<fieldset key={index} class="bend" aria-label={text.bend(index + 1)}>
					<PlaceField label={`x ${index + 1}`} value={x} onValue={(next) => change(via.with(index, [next, y]))} />
					<PlaceField label={`y ${index + 1}`} value={y} onValue={(next) => change(via.with(index, [x, next]))} />
					<Button
						icon="i-x"
						aria-label={commonText().remove(text.bend(index + 1))}
						onClick={() => {
							change(via.toSpliced(index, 1));
							edits.endUndoStep();
						}}
					/>
				</fieldset>
			))}
			<Button look="quiet" disabled={via.length >= maxBends} onClick={add}>
				{text.addBend}
			</Button>
		</fieldset>
	);
}

interface FlowProps extends Pick<PipeFormProps, 'pipe' | 'variables'> {
	readonly change: (part: Partial<DraftPipe>) => void;
}

/** The fields for the variable that says whether water flows, with the present flow. */
function Flow({ pipe: { varId, bit, over }, change, variables }: FlowProps) {
	const text = editText();
	const state = useSymbolState(varId, bit);
	/** Shown only with a variable. It is `bare` until the variable was read, and while all values are out of date. */
	const flow = flowOf(state, over);
	const unit = (varId === null ? undefined : variables.get(varId)?.unit) ?? '';
	return (
		<fieldset class="stack">
			<legend class="field-label">{text.flowsWhen}</legend>
			<BindingFields
				binding={{ varId, bit }}
				// Until a bit is chosen, the binding is that of the whole byte.
				onBind={(binding) => change({ varId: binding.varId, bit: binding.bit === 'choose' ? null : binding.bit })}
				problemOf={() => undefined}
			/>
			<p class="field-hint">{text.flowHint}</p>
			{varId !== null && (
				<>
					<div class="columns">
						{state.isOn === undefined && (
							<PlaceField label={text.isAbove(unit)} value={over} range={anyNumber} onValue={(next) => change({ over: next })} />
						)}
						<div class="field">
							<span class="field-label">{commonText().now}</span>
							<p>
								<b>{flow === 'bare' ? commonText().reading : diagramText().flows[flow]}</b> {isCurrent(state) && state.text}
							</p>
						</div>
					</div>
					<Button look="quiet" onClick={() => change({ varId: null, bit: null, over: 0 })}>
						{text.unbind}
					</Button>
				</>
			)}
		</fieldset>
	);
}
