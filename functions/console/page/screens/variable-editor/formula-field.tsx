import type { ComponentChildren, Ref, TargetedKeyboardEvent } from 'preact';
import { useImperativeHandle, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Shown } from '#page/core/shown.ts';
import { referenceTo } from '#page/format/formula.ts';
import { commonText } from '#page/i18n/common.ts';
import { classNames } from '#page/parts/class-names.ts';
import { type Completion, completionsFor, openReferenceAt } from './completion.ts';
import { CompletionList } from './completion-list.tsx';
import type { FormulaFault } from './formula-faults.ts';
import { parseFormula } from './formula-text.ts';
import { formulaText } from './formula-texts.ts';
import { querySources } from './known-variables.ts';

/** What other parts of the editor do with the field. */
export interface FormulaFieldHandle {
	focus(): void;
	caret(): number;
	select(start: number, end: number): void;
	/** Puts the caret somewhere once the text that was changed is there. */
	selectLater(caret: number): void;
}

/** Properties of FormulaField. */
export interface FormulaFieldProps {
	readonly handle: Ref<FormulaFieldHandle>;
	readonly text: string;
	readonly faults: readonly FormulaFault[];
	/** The id of the list of faults. */
	readonly faultsId: string;
	/** The names of the inputs. */
	readonly inputs: readonly string[];
	/** What an input shows now. */
	readonly shownInput: (name: string) => Shown | null;
	readonly onText: (text: string) => void;
	/** The place of the reference that is being typed; null while none is. It is not wrong yet. */
	readonly onReference: (start: number | null) => void;
	/** A name was chosen from the list. `text` is the formula with it. */
	readonly onComplete: (chosen: Completion, text: string) => void;
}

/** The field for a formula: a text area over its coloured copy, with a list of names while a reference is typed. */
export function FormulaField({
	handle,
	text,
	faults,
	faultsId,
	inputs,
	shownInput,
	onText,
	onReference,
	onComplete,
}: FormulaFieldProps) {
	const words = formulaText();
	const area = useRef<HTMLTextAreaElement>(null);
	const [caret, setCaret] = useState<number | null>(null);
	const [active, setActive] = useState(0);
	const [wanted, setWanted] = useState<number | null>(null);
	const open = caret === null ? null : openReferenceAt(text, caret);
	const names = open === null ? [] : completionsFor(open.typed, inputs, querySources.value);
	const isOpen = names.length > 0;

	useImperativeHandle(
		handle,
		() => ({
			focus: () => area.current?.focus(),
			caret: () => area.current?.selectionStart ?? 0,
			select: (start, end) => {
				area.current?.focus();
				area.current?.setSelectionRange(start, end);
			},
			selectLater: setWanted,
		}),
		[],
	);
	useLayoutEffect(() => {
		if (wanted === null) return;
		area.current?.focus();
		area.current?.setSelectionRange(wanted, wanted);
		setWanted(null);
	}, [wanted]);

	const typedAt = open?.start ?? null;
	useLayoutEffect(() => onReference(typedAt), [typedAt]);

	const choose = (chosen: Completion): void => {
		if (open === null) return;
		const reference = referenceTo(chosen.name);
		onComplete(chosen, text.slice(0, open.start) + reference + text.slice(open.end));
		setWanted(open.start + reference.length);
		setCaret(null);
	};
	const onKeyDown = (event: TargetedKeyboardEvent<HTMLTextAreaElement>): void => {
		// A formula is one line.
		if (event.key === 'Enter') event.preventDefault();
		if (!isOpen || event.isComposing) return;
		const steps: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 };
		const step = Object.hasOwn(steps, event.key) ? steps[event.key] : undefined;
		if (step !== undefined) {
			event.preventDefault();
			setActive((active + step + names.length) % names.length);
		} else if (event.key === 'Enter' || event.key === 'Tab') {
			const chosen = names[active];
			if (chosen === undefined) return;
			event.preventDefault();
			choose(chosen);
		} else if (event.key === 'Escape') {
			event.preventDefault();
			event.stopPropagation();
			setCaret(null);
		}
	};
	return (
		<div class={classNames('formula', faults.length > 0 && 'invalid')}>
			<FormulaCopy text={text} faults={faults} anchorAt={isOpen && open !== null ? open.start : null}>
				<CompletionList id="formula-names" names={names} active={active} shownInput={shownInput} onChoose={choose} />
			</FormulaCopy>
			<textarea
				ref={area}
				rows={2}
				spellcheck={false}
				autocapitalize="off"
				autocomplete="off"
				aria-label={commonText().formula}
				aria-invalid={faults.length > 0 || undefined}
				aria-describedby={faultsId}
				aria-autocomplete="list"
				aria-controls={isOpen ? 'formula-names' : undefined}
				aria-activedescendant={isOpen ? `formula-names-${active}` : undefined}
				value={text}
				onInput={({ currentTarget }) => {
					onText(currentTarget.value.replace(/[\r\n]+/g, ' '));
					setCaret(currentTarget.selectionStart);
					setActive(0);
				}}
				onKeyDown={onKeyDown}
				onSelect={({ currentTarget }) => {
					// The list follows the caret, but only typing opens it.
					if (caret !== null) setCaret(currentTarget.selectionStart);
				}}
				onBlur={() => setCaret(null)}
			/>
			<p class="sr" role="status">
				{isOpen ? words.namesFound(names.length) : ''}
			</p>
		</div>
	);
}

/** Properties of FormulaCopy. */
export interface FormulaCopyProps {
	readonly text: string;
	readonly faults: readonly FormulaFault[];
	/** The place in the text below which `children` stand; null where they are not shown. */
	readonly anchorAt: number | null;
	readonly children: ComponentChildren;
}

/** The text of a formula in colours, letter on letter with the text area over it. Errors have a line and their number. */
export function FormulaCopy({ text, faults, anchorAt, children }: FormulaCopyProps) {
	const anchor = useRef<HTMLSpanElement>(null);
	const list = useRef<HTMLDivElement>(null);
	const [place, setPlace] = useState({ left: 0, top: 0 });
	useLayoutEffect(() => {
		const [at, box] = [anchor.current, list.current];
		if (at === null || box === null || anchorAt === null) return;
		const room = (box.parentElement?.clientWidth ?? 0) - box.offsetWidth;
		setPlace({ left: Math.max(0, Math.min(at.offsetLeft, room)), top: at.offsetTop + at.offsetHeight });
	}, [anchorAt, text]);

	const parts: ComponentChildren[] = [];
	let end = 0;
	for (const { start, end: stop, token } of parseFormula(text)) {
		parts.push(text.slice(end, start));
		const number = faults.findIndex((fault) => fault.start === start);
		const look = classNames(token.type === 'variable' && number < 0 && 'reference', number >= 0 && 'wrong');
		parts.push(
			<span key={start} ref={start === anchorAt ? anchor : null} class={look}>
				{text.slice(start, stop)}
			</span>,
		);
		if (number >= 0)
			parts.push(
				<span key={`number ${start}`} class="number">
					<sup>{number + 1}</sup>
				</span>,
			);
		end = stop;
	}
	return (
		<>
			{/* What follows the text keeps the last line when it ends with a blank. */}
			<div class="formula-copy" aria-hidden="true">
				{parts}
				{text.slice(end)}
				{'\u200b'}
			</div>
			<div ref={list} class="formula-list" hidden={anchorAt === null} style={{ left: `${place.left}px`, top: `${place.top}px` }}>
				{children}
			</div>
		</>
	);
}
